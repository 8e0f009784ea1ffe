import Bluetooth
import Synchronization

/// The peripheral's end of a link whose packets take the time that a model gives.
///
/// A packet that has not arrived yet stays in the socket, so a sender that is too fast meets a full queue, as with a
/// real controller.
final class ModelledLink<Base: Bearer>: Bearer {
    /// The longest that a system call takes if it does not have to wait.
    private static var atOnce: Duration { .milliseconds(1) }

    private let base: Base
    private let time: Timekeeper
    private let air: LinkAir
    /// The bytes that a packet costs in addition to its payload and the L2CAP header.
    private let overhead: Int
    /// When the last packet was handed over.
    private let handedOver = Mutex(Duration?.none)

    init(_ base: Base, over air: LinkAir, overhead: Int = 0, time: Timekeeper) {
        self.base = base
        self.time = time
        self.air = air
        self.overhead = overhead
    }

    func receive() async throws(BearerError) -> [UInt8]? {
        let called = time.now
        guard let packet = try await base.receive() else { return nil }
        // A packet that was available at once, right after another one, had been waiting while that one was on the air.
        // A clock that wakes late must not make it miss its connection event. A packet that the peripheral was not
        // waiting for is delayed by that.
        let isAwaited = called - (handedOver.withLock { $0 } ?? called) < Self.atOnce
        let wasThere = isAwaited && time.now - called < Self.atOnce
        try await wait(
            until: air.arrivalAtPeripheral(of: packet.count + overhead, at: time.now) { events in
                let isAfter = called - events.lastArrival < events.model.interval
                return wasThere && isAfter ? min(time.now, events.lastArrival) : time.now
            })
        handedOver.withLock { $0 = time.now }
        return packet
    }

    func send(_ packet: [UInt8]) async throws(BearerError) {
        try await wait(until: air.arrivalAtCentral(of: packet.count + overhead, at: time.now))
        try await base.send(packet)
    }

    func close() { base.close() }

    private func wait(until moment: Duration) async throws(BearerError) {
        do { try await time.sleep(until: moment) } catch { throw .cancelled }
    }
}
