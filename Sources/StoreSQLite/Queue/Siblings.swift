internal import FoundationEssentials
internal import PinpostCore

/// Keeps the pictures of one message in their order, although they are prepared side by side.
///
/// Pinry shows the newest pin first and takes one upload after the other, so only the preparation can mix them up: who
/// is ready early waits for his elders, but for no longer than `patience`, and for none that has failed once.
struct Siblings {
    /// What a picture is given to be prepared before the next one goes ahead, in seconds.
    static let patience: TimeInterval = 5

    let connection: Connection

    private static let elderIsPreparing = """
        EXISTS (SELECT 1 FROM items AS elder WHERE elder.message_id = items.message_id
            AND elder.sequence < items.sequence AND elder.state IN ('ready', 'running') AND elder.step = 'prepare'
            AND (elder.attempt = 0 OR (elder.attempt = 1 AND elder.state = 'running')))
        """

    /// When an item that has just been prepared goes on: later where an elder is still under way.
    func due(_ item: Item.ID, now: Date) throws(StoreError) -> Date {
        let later = now + Self.patience
        let isHeld =
            try connection.run(
                "UPDATE items SET due_at = ? WHERE id = ? AND \(Self.elderIsPreparing)", later, item) > 0
        return isHeld ? later : now
    }

    /// An item of the message has been prepared, or has failed: those who waited for it alone may go on.
    /// - Returns: whether there were any.
    func letGo(of message: Message.ID, now: Date) throws(StoreError) -> Bool {
        try connection.run(
            """
            UPDATE items SET due_at = queued_at
            WHERE message_id = ? AND state = 'ready' AND step = 'upload' AND attempt = 0 AND due_at > ?
                AND NOT \(Self.elderIsPreparing)
            """, message, now) > 0
    }
}
