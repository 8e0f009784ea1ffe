import GATT
import Synchronization
import Timing

/// The peripheral's end of a link whose packets take the time that a model says.
///
/// A packet that has not arrived is not taken off the socket, so a sender that is too fast meets a full
/// queue, as with a controller's.
final class ModelledLink<Base: Bearer>: Bearer {
    /// What a system call takes at most when it does not have to wait.
    private static var atOnce: Duration { .milliseconds(1) }

    private let base: Base
    private let time: Timekeeper
    private let air: LinkAir
    /// What a packet costs besides itself and the L2CAP header.
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
        // A packet that was there at once, right after another, had been waiting while that was on the air. A
        // clock that oversleeps must not make it miss the connection event. One that nobody asked for meanwhile had
        // to wait for that.
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
