public import DecoderProtocol
import Glibc

/// What a decoder executable does with its one job.
public protocol Worker {
    /// The sandbox that its libraries can live with.
    static var permissions: Sandbox.Permissions { get }

    /// Loads everything that needs files; the last chance to open one.
    init() throws(Failure)

    /// Does the job, reading `input` and writing the result to `output`.
    func perform(_ job: Job, on input: InputBytes, into output: OutputFile) throws(Failure) -> Output

    /// Lists what may matter of the page in `input`.
    /// - Returns: how many bytes it wrote to `output`.
    func outline(_ input: InputBytes, into output: OutputFile) throws(Failure) -> Int
}

extension Worker {
    public func outline(_ input: InputBytes, into output: OutputFile) throws(Failure) -> Int {
        throw Failure(.wrongRole)
    }
}

/// The life of a decoder process: warm up, close the sandbox, say `ready`, do one job, end.
public enum OneJobProcess {
    /// Serves one job on the descriptors of `DecoderProtocol` and returns the exit status: 0 after a reply, 1 without.
    public static func serve(_ make: () throws(Failure) -> some Worker) -> Int32 {
        resetSignals()
        let channel = FrameChannel(descriptor: Descriptors.control)
        do {
            let reply = try closeAndWork(make, channel)
            try channel.send(reply)
            return 0
        } catch {
            // The daemon is gone or speaks another version: nobody is left to tell.
            return 1
        }
    }

    private static func closeAndWork(
        _ make: () throws(Failure) -> some Worker, _ channel: FrameChannel
    ) throws(FrameError) -> Reply {
        do {
            return try prepareAndWork(make, channel)
        } catch let failure as Failure {
            return .failed(failure)
        } catch let error as FrameError {
            throw error
        } catch {
            return .failed(Failure(.internalFault))
        }
    }

    private static func prepareAndWork<Kind: Worker>(
        _ make: () throws(Failure) -> Kind, _ channel: FrameChannel
    ) throws -> Reply {
        let worker = try make()
        let output = try OutputFile(descriptor: Descriptors.output)
        try ResourceLimits().apply()
        try Sandbox.enter(Kind.permissions)
        try channel.send(.ready)
        let job = try channel.receiveJob()
        #if DEBUG
            if case .misbehave(let misdeed) = job { try misdeed.commit(output) }
        #endif
        let input = try InputBytes(descriptor: Descriptors.input)
        if case .outlinePage = job { return .outlined(byteCount: try worker.outline(input, into: output)) }
        return .finished(try worker.perform(job, on: input, into: output))
    }

    /// Faults must end the process with their own signal: Swift's backtracer would try to start a program first.
    private static func resetSignals() {
        for number in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGQUIT] { signal(number, SIG_DFL) }
        signal(SIGPIPE, SIG_IGN)
    }
}
