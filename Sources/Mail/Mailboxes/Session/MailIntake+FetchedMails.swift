internal import PinpostCore

extension MailIntake {
    /// Takes what was fetched; throws the first error of the store once nothing is under way any more.
    func take(
        _ mails: [UInt32: ArrivingMail], in mailbox: WatchedMailbox
    ) async throws(StoreError) -> [MailVerdict] {
        let results = await withTaskGroup(of: Result<MailVerdict, StoreError>.self) { group in
            var waiting = mails.sorted { $0.key < $1.key }[...]
            var results: [Result<MailVerdict, StoreError>] = []
            var running = 0
            while running > 0 || !waiting.isEmpty {
                while running < Self.width, let (uid, mail) = waiting.popFirst() {
                    group.addTask { await result(of: uid, mail, in: mailbox) }
                    running += 1
                }
                if let result = await group.next() { results.append(result) }
                running -= 1
            }
            return results
        }
        var verdicts: [MailVerdict] = []
        for result in results { verdicts.append(try result.get()) }
        return verdicts
    }

    private func result(
        of uid: UInt32, _ mail: ArrivingMail, in mailbox: WatchedMailbox
    ) async -> Result<MailVerdict, StoreError> {
        do throws(StoreError) {
            return .success(MailVerdict(uid: uid, fate: try await take(mail, in: mailbox)))
        } catch {
            return .failure(error)
        }
    }
}
