import PinpostCore
import Synchronization

/// Where answers are under way: each mail server and provider host has places of its own, and so has each Pinry for what
/// is taken back there, so that a silent one keeps nobody else waiting.
final class ReplyLanes: Sendable {
    private struct Lane {
        var underWay = 0
        var isReachable = true
        /// One that does not answer is tried by one at a time: else many silent ones would fill all places.
        var width: Int { isReachable ? ReplyLanes.width : 1 }
        var isForgettable: Bool { underWay == 0 && isReachable }
    }

    /// Answers that are under way at the same time to one place, and to all.
    static let width = 4
    static let total = 64

    /// Fires when a place is free.
    let freed = Signal()
    private let lanes = Mutex<[String: Lane]>([:])
    /// The lane that was served last.
    private let last = Mutex("")

    /// What may be taken now.
    var room: ReplyRoom {
        lanes.withLock { lanes in
            ReplyRoom(
                total: Self.total - lanes.values.reduce(0) { $0 + $1.underWay }, perLane: Self.width,
                left: lanes.mapValues { max($0.width - $0.underWay, 0) }, after: last.withLock { $0 })
        }
    }

    func enter(_ name: String) {
        last.withLock { $0 = name }
        lanes.withLock { $0[name, default: Lane()].underWay += 1 }
    }

    /// An attempt is over.
    func leave(_ name: String, isReachable: Bool) {
        lanes.withLock { lanes in
            var lane = lanes[name, default: Lane(underWay: 1)]
            lane.underWay -= 1
            lane.isReachable = isReachable
            lanes[name] = lane.isForgettable ? nil : lane
        }
        freed.fire()
    }
}
