import Bluetooth
import Synchronization

/// The device's end of a link with injected faults of the Attribute Protocol.
final class FaultyBearer<Base: Bearer>: Bearer {
    private let base: Base
    private let time: Timekeeper
    /// The faults that are active now.
    private let attributeFaults: @Sendable () async -> Set<AttributeFault>
    private let injector = Mutex(AttributeFaultInjector())

    /// The time between two unsolicited packets.
    private static var pause: Duration { .milliseconds(5) }

    init(
        _ base: Base, time: Timekeeper,
        telling attributeFaults: @escaping @Sendable () async -> Set<AttributeFault>
    ) {
        self.base = base
        self.time = time
        self.attributeFaults = attributeFaults
    }

    func receive() async throws(BearerError) -> [UInt8]? {
        while let packet = try await base.receive() {
            let attributeFaults = await attributeFaults()
            guard let answer = injector.withLock({ $0.hear(packet, telling: attributeFaults) }) else {
                return packet
            }
            try await send(answer)
        }
        return nil
    }

    func send(_ packet: [UInt8]) async throws(BearerError) {
        let reply = injector.withLock { $0.say(packet) }
        if reply.delay > .zero {
            do { try await time.sleep(for: reply.delay) } catch { throw .cancelled }
        }
        for packet in reply.packets { try await base.send(packet) }
    }

    func close() { base.close() }

    /// Sends unsolicited packets until the link ends.
    func flood() async {
        while (try? await time.sleep(for: Self.pause)) != nil {
            guard let packet = injector.withLock({ $0.flood() }) else { continue }
            guard (try? await base.send(packet)) != nil else { return }
        }
    }
}
