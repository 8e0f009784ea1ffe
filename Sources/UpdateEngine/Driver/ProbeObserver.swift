import Bluetooth
import UpdateModel

/// Reports reads while a device is probed; they do not count as time of the update.
struct ProbeObserver<Notice: Sendable>: SessionObserver {
    let report: @Sendable (UpdateEvent) -> Void
    let tell: @Sendable (Notice) -> Void

    func note(_ notice: Notice) { tell(notice) }
    func read(_ source: Characteristic, _ value: [UInt8]) {
        report(.detail(.characteristicRead(source, value)))
    }
    func book(_ length: Duration, to limit: SpeedLimit) {}
    func sent(_ count: Int, upTo position: Int, of total: Int, isUnanswered: Bool) {}
}
