import Bluetooth
import Synchronization

/// An injected fault of the Attribute Protocol itself, below the update service: an error, or an attack.
///
/// It changes packets only; the device below is unaffected.
public enum AttributeFault: Hashable, Sendable {
    /// The Exchange MTU Response contains this MTU, whatever the device supports.
    case mtu(UInt16)
    /// Every response is cut to its opcode.
    case shortAnswers
    /// Every response is padded to 600 bytes, beyond any MTU.
    case longAnswers
    /// The entry length, or the format, at the start of a list has this value.
    case entryLength(UInt8)
    /// Every response has the opcode of another request's response.
    case wrongOpcodes
    /// Every response is sent twice.
    case doubleAnswers
    /// A Write Response precedes every response.
    case unaskedAnswers
    /// An error response to a request that was never sent precedes every response.
    case foreignErrors
    /// An error response to a request that was never sent replaces every response.
    case onlyForeignErrors
    /// Every request is refused with this code.
    case refusals(UInt8)
    /// Every response is delayed by this time.
    case lateAnswers(Duration)
    /// Every read returns a full packet, endlessly.
    case endlessValues

    /// Every handle is a separate service.
    case manyServices
    /// Services extend to handle 0xFFFF, and every handle in them is a characteristic and a descriptor.
    case manyAttributes
    /// Every list has one entry per response.
    case oneEntryAnAnswer
    /// All services, and all characteristics, have the UUID of the first one in the response.
    case equalUUIDs
    /// Every handle in a list has this value.
    case listHandles(UInt16)
    /// Every request for a further part of a list is answered with the first part again.
    case backwards

    /// Endless notifications of an unknown handle.
    case strangeNotifications
    /// Endless notifications of the last subscribed characteristic, with meaningless values.
    case senselessNotifications
    /// Endless indications, without waiting for confirmations.
    case indications
    /// Endless requests from the device, known and unknown ones.
    case requests
}

final class FaultyBearer<Base: Bearer>: Bearer {
    private let base: Base
    private let time: Timekeeper
    private let attributeFaults: @Sendable () async -> Set<AttributeFault>
    private let injector = Mutex(AttributeFaultInjector())

    /// The time between two unsolicited packets.
    private static var pause: Duration { .milliseconds(5) }

    init(
        _ base: Base, time: Timekeeper,
        faults attributeFaults: @escaping @Sendable () async -> Set<AttributeFault>
    ) {
        (self.base, self.time, self.attributeFaults) = (base, time, attributeFaults)
    }

    func receive() async throws(BearerError) -> [UInt8]? {
        while let packet = try await base.receive() {
            let attributeFaults = await attributeFaults()
            guard let answer = injector.withLock({ $0.answer(packet, attributeFaults) }) else {
                return packet
            }
            try await send(answer)
        }
        return nil
    }

    func send(_ packet: [UInt8]) async throws(BearerError) {
        let reply = injector.withLock { $0.reply(with: packet) }
        if reply.delay > .zero { do { try await time.sleep(for: reply.delay) } catch { throw .cancelled } }
        for packet in reply.packets { try await base.send(packet) }
    }

    func close() { base.close() }

    func flood() async {
        while (try? await time.sleep(for: Self.pause)) != nil {
            guard let packet = injector.withLock({ $0.flood() }) else { continue }
            guard (try? await base.send(packet)) != nil else { return }
        }
    }
}
