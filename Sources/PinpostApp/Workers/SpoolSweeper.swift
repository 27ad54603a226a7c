import PinpostCore

/// Removes bodies that a crash has left without a row, an hour after they were first seen.
struct SpoolSweeper: Service {
    let name = "spool"
    /// Removes those of the bodies that no row names, and says which others none names.
    let sweep: @Sendable (Set<Blob.ID>) async throws(StoreError) -> Set<Blob.ID>
    let logger: Logger
    var interval: Duration = .seconds(3_600)

    func run(until shutdown: Shutdown) async throws {
        var suspects: Set<Blob.ID> = []
        while true {
            // The start has swept already.
            await shutdown.wait(upTo: interval)
            guard !shutdown.isRequested else { return }
            do throws(StoreError) {
                suspects = try await sweep(suspects)
            } catch {
                logger.warning("the spool cannot be swept", ["reason": error.description])
            }
        }
    }
}
