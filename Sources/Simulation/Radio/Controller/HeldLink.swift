import Bluetooth

/// The peripheral's end of a link that a controller holds.
///
/// The peripheral does not notice that the central's last user has left until the link ends; what it sends in the
/// meantime is discarded.
final class HeldLink<Base: Bearer>: Bearer {
    private let base: Base
    private let slot: LinkSlot
    private let time: Timekeeper

    init(_ base: Base, in slot: LinkSlot, time: Timekeeper) {
        self.base = base
        self.slot = slot
        self.time = time
    }

    func receive() async throws(BearerError) -> [UInt8]? {
        if let packet = try await base.receive() { return packet }
        await slot.linger(by: time)
        slot.free()
        return nil
    }

    func send(_ packet: [UInt8]) async throws(BearerError) {
        do throws(BearerError) { try await base.send(packet) } catch {
            if error == .cancelled { throw error }
        }
    }

    func close() {
        base.close()
        slot.free()
    }
}
