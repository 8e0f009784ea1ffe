import PacketSockets
import Radio

/// Keeps other runs off an adapter: each would take the other's beacons for its neighbours.
final class AdapterLock: Sendable {
    private let lock: NamedLock?

    /// Takes the adapter. Simulated ones are each program's own.
    init(of adapter: NamedAdapter, isOwn: Bool) throws(CommandFailure) {
        guard !isOwn else {
            lock = nil
            return
        }
        do throws(NamedLock.Owner) { lock = try NamedLock.take("beacon-dfu/batch/\(adapter.key)") } catch {
            throw CommandFailure(
                "adapter-taken", during: "taking the adapter",
                message: "a run has \(adapter.name) already: \(error)")
        }
    }
}
