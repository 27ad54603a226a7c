import Dispatch
import Glibc
import PinpostCore

/// SIGTERM and SIGINT ask for the stop; a second one ends the process at once.
///
/// Dispatch sources, since `sigwait` does not work beside Swift's own main thread.
/// `@unchecked Sendable` is safe: the sources are made once and only cancelled by `deinit`.
final class Signals: @unchecked Sendable {
    private let sources: [any DispatchSourceSignal]

    init(_ shutdown: Shutdown) {
        let queue = DispatchQueue(label: "signals")
        sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                if shutdown.isRequested { _exit(128 + number) }
                shutdown.request()
            }
            source.resume()
            return source
        }
    }

    deinit { for source in sources { source.cancel() } }
}
