import Simulation
import Synchronization
import Testing

@testable import Bluetooth

/// A bearer whose `send` returns only after the pump has read the answer: an interleaving that a socket hardly ever
/// produces.
private final class EagerBearer: Bearer {
    private let answers: Mutex<[[UInt8]]> = Mutex([])
    private let time: Timekeeper
    private let isClosed = Mutex(false)
    private let answer: @Sendable ([UInt8]) -> [UInt8]?

    init(_ time: Timekeeper, _ answer: @escaping @Sendable ([UInt8]) -> [UInt8]?) {
        self.time = time
        self.answer = answer
    }

    func send(_ packet: [UInt8]) async throws(BearerError) {
        if let answer = answer(packet) { answers.withLock { $0.append(answer) } }
        // Virtual time passes only when the pump has read the answer and has nothing left to do.
        do { try await time.sleep(for: .milliseconds(10)) } catch { throw .cancelled }
    }

    func receive() async throws(BearerError) -> [UInt8]? {
        while !isClosed.withLock({ $0 }) {
            if let packet = answers.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                return packet.isEmpty ? nil : packet
            }
            do { try await time.sleep(for: .milliseconds(1)) } catch { throw .cancelled }
        }
        return nil
    }

    func close() { isClosed.withLock { $0 = true } }
}

@Suite(.timeLimit(.minutes(10))) struct `An answer that arrives before its request has finished sending` {
    private func onEagerLink(
        _ answer: @escaping @Sendable ([UInt8]) -> [UInt8]?,
        _ body: @Sendable (ATTClient, VirtualTime) async throws -> Void
    ) async throws {
        try await VirtualTime.run { time in
            let bearer = EagerBearer(time.clock, answer)
            let client = ATTClient(bearer: bearer, time: time.clock)
            async let _ = client.run()
            defer { bearer.close() }
            try await body(client, time)
        }
    }

    @Test func `is not lost`() async throws {
        try await onEagerLink({ $0 == [0x02, 0x05, 0x02] ? [0x03, 0xF7, 0x00] : nil }) { client, time in
            try await client.exchangeMTU()
            #expect(await client.mtu == 247)
            #expect(time.now < .seconds(1))
        }
    }

    @Test func `is not lost when it is a refusal`() async throws {
        try await onEagerLink({ _ in [0x01, 0x10, 0x01, 0x00, 0x0A] }) { client, time in
            let services = try await client.discoverServices()
            #expect(services == [])
            #expect(time.now < .seconds(1))
        }
    }

    @Test func `is not lost when it is the end of the link`() async throws {
        try await onEagerLink({ _ in [] }) { client, time in
            let error = await failure { () throws(GATTError) in try await client.exchangeMTU() }
            #expect(error == .disconnected)
            #expect(time.now < .seconds(1))
        }
    }

    @Test func `belongs to that request alone, one after the other`() async throws {
        try await onEagerLink({ [0x0D] + $0.dropFirst(3) }) { client, time in
            for number in 0..<100 as Range<UInt16> {
                let value = try await client.perform(.readBlob(3, from: number), "asking")
                #expect(value == [UInt8(number), 0])
            }
            #expect(time.now < .seconds(5))
        }
    }

    @Test func `or never arrives ends the request at its limit`() async throws {
        try await onEagerLink({ _ in nil }) { client, _ in
            let error = await failure { () throws(GATTError) in try await client.exchangeMTU() }
            #expect(error == .transactionTimeout(during: "agreeing on the MTU"))
        }
    }
}
