import PinpostCore

/// Waits until messages are final, all of them together no longer than `patience`.
struct MessageWait: Sendable {
    let ids: [Message.ID]
    let patience: Duration

    func reports(from administration: any AdminConnection) async throws -> [MessageReport] {
        let end = ContinuousClock.now + patience
        var reports: [MessageReport] = []
        for id in ids {
            var report = try await administration.perform(ShowMessage(id: id))
            while !report.isFinal, ContinuousClock.now < end {
                let left = (end - .now) / .seconds(1)
                report = try await administration.perform(ShowMessage(id: id, patience: max(left, 0.01)))
            }
            reports.append(report)
        }
        return reports
    }
}
