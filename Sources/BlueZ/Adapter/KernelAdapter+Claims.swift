public import Bluetooth
import Bytes
import Synchronization

extension KernelAdapter {
    /// Keeps other copies of this program away from `peer`, whichever adapter they use.
    public func claim(_ peer: DeviceAddress) throws(AdapterError) -> BeaconClaim {
        do throws(NamedLock.Owner) {
            return BeaconClaim(keeping: try locks.share(in: "beacon/\(peer)/\(peer.kind.rawValue)"))
        } catch { throw .inUse(peer, by: "\(error)") }
    }

    /// Whether the kernel has a link to `peer` that is not ours.
    public func isHeldElsewhere(_ peer: DeviceAddress) async -> Bool {
        guard !isLinked(to: peer), !state.withLock({ $0.left.contains(peer) }) else { return false }
        return (try? await management.connections(of: index).contains(peer)) ?? false
    }
}

extension ManagementChannel {
    /// Which devices have a link to controller `index`.
    ///
    ///     0  2  number n
    ///     2  7n  addresses and types
    func connections(of index: UInt16) async throws(ManagementError) -> Set<DeviceAddress> {
        var reader = try await perform(.getConnections, on: index)
        do throws(ByteError) {
            let count: UInt16 = try reader.integer("connections")
            var devices: Set<DeviceAddress> = []
            for _ in 0..<count {
                if let device = try DeviceAddress.management(parsing: &reader) { devices.insert(device) }
            }
            return devices
        } catch { throw .malformed(command: ManagementCommand.getConnections.name) }
    }
}
