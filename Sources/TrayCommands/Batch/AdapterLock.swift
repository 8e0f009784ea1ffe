import Bluetooth
import CommandKit
import Tray

/// Reserves an adapter for one run: two runs would mistake each other's beacons for neighbours.
final class AdapterLock: Sendable {
    private let lock: NamedLock?

    /// Locks the adapter. A simulated one belongs to its process (`isOwn`) and needs no lock.
    init(of adapter: NamedAdapter, isOwn: Bool) throws(CommandFailure) {
        guard !isOwn else {
            lock = nil
            return
        }
        do throws(NamedLock.Owner) { lock = try NamedLock.take("beacon-dfu/batch/\(adapter.key)") } catch {
            throw CommandFailure(
                .tray.adapterTaken, during: "locking the adapter",
                message: "\(adapter.name) is in use by another run: \(error)")
        }
    }
}
