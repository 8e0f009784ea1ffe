import Bluetooth
import Logging
import Synchronization

extension KernelAdapter {
    /// Warns of what a killed run has left; once, because it may be intended by now.
    func tellLeftovers() {
        guard let records, let share = try? locks.share(in: recordName) else { return }
        defer { withExtendedLifetime(share) {} }
        guard let record = records.record(of: key) else { return }
        records.remove(key)
        guard let left = record.leftovers(on: name) else { return }
        log.warning("\(left), which it was not before")
    }

    /// Records the state of the controller until it is restored.
    func keepRecord() {
        guard let records, let share = try? locks.share(in: recordName) else { return }
        let record = state.withLock { state in
            state.recordShare = share
            return ControllerRecord(
                settings: state.before, phys: state.physBefore, isMoved: state.isMoved)
        }
        records.keep(record, of: key)
    }

    /// Called when everything is restored.
    func removeRecord() {
        let share = state.withLock { state in
            defer { state.recordShare = nil }
            return state.recordShare
        }
        if share != nil { records?.remove(key) }
    }

    private var recordName: String { "changed/\(key)" }
}
