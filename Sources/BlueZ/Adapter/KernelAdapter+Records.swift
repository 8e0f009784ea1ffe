import Logging
import PacketSockets
import Synchronization

extension KernelAdapter {
    /// Says what a run has left that was killed; once, because whoever reads it may want it so.
    func tellLeftovers() {
        guard let records, let share = try? locks.share(in: recordName) else { return }
        defer { withExtendedLifetime(share) {} }
        guard let record = records.record(of: name) else { return }
        records.remove(name)
        guard let left = record.leftovers(on: name) else { return }
        log.warning("\(left); it was otherwise before")
    }

    /// Keeps how the controller was until it is so again.
    func keepRecord() {
        guard let records, let share = try? locks.share(in: recordName) else { return }
        let record = state.withLock { state in
            state.recordShare = share
            return ControllerRecord(settings: state.before, phys: state.physBefore)
        }
        records.keep(record, of: name)
    }

    /// Everything is as it was.
    func removeRecord() {
        let share = state.withLock { state in
            defer { state.recordShare = nil }
            return state.recordShare
        }
        if share != nil { records?.remove(name) }
    }

    private var recordName: String { "changed/\(name)" }
}
