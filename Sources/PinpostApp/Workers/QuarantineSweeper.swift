import PinpostCore

/// Throws mails in quarantine away once their time is over.
struct QuarantineSweeper: Service {
    let name = "quarantine"
    let quarantine: any Quarantine
    let surroundings: Surroundings
    let logger: Logger

    func run(until shutdown: Shutdown) async throws {
        while !shutdown.isRequested {
            do throws(StoreError) {
                try await quarantine.expireHeld(now: surroundings.now())
            } catch {
                logger.warning("the quarantine cannot be swept", ["reason": error.description])
            }
            await shutdown.wait(upTo: .seconds(3_600))
        }
    }
}
