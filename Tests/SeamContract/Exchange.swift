import Bluetooth

/// Attribute packets in bytes, so that the tested code is not also the tester.
struct Exchange<Channel: Bearer>: Sendable {
    /// Without an exchange every packet fits this (Vol 3, Part F, 3.2.8).
    static var defaultMTU: Int { 23 }
    private static var answerLimit: Duration { .seconds(5) }

    let channel: Channel
    let time: Timekeeper

    /// The answer to `request`.
    func answer(to request: [UInt8]) async throws -> [UInt8] {
        let channel = channel
        let answer = try await time.within(Self.answerLimit) {
            try await channel.send(request)
            while let packet = try await channel.receive() {
                if packet.first == 0x1B || packet.first == 0x1D { continue }
                return packet
            }
            throw BrokenFact("the link ended before the answer to \(request.prefix(8))")
        }
        guard let answer else { throw BrokenFact("no answer to \(request.prefix(8))") }
        return answer
    }

    /// Exchanges an MTU of at most 247, the maximum of both ends (Vol 3, Part F, 3.4.2).
    func agreeOnMTU() async throws -> Int {
        let answer = try await answer(to: [0x02, 0xF7, 0x00])
        guard answer.count == 3, answer[0] == 0x03 else { throw BrokenFact("the MTU was answered \(answer)") }
        let agreed = min(247, Int(answer[1]) | Int(answer[2]) << 8)
        try require(agreed > Self.defaultMTU, "the peer takes no other MTU than \(agreed)")
        return agreed
    }

    /// The length of the first answer to a listing of all attributes: as long as the MTU allows.
    func listingLength() async throws -> Int {
        let answer = try await answer(to: [0x04, 0x01, 0x00, 0xFF, 0xFF])
        guard answer.first == 0x05 else { throw BrokenFact("the listing was answered \(answer)") }
        return answer.count
    }

    /// Reports a violation unless this is a session without an exchanged MTU.
    func requireFresh() async throws {
        let length = try await listingLength()
        try require(length <= Self.defaultMTU, "a new session answered with \(length) bytes")
    }

    /// Reports a violation unless the peer `finds` an attribute of `type` with exactly `value` (Vol 3, Part F,
    /// 3.4.3.3).
    func requireSearch(for value: [UInt8], in type: BluetoothUUID, finds: Bool) async throws {
        let answer = try await answer(to: [0x06, 0x01, 0x00, 0xFF, 0xFF] + type.wire + value)
        let isRight = finds ? answer.first == 0x07 : answer == [0x01, 0x06, 0x01, 0x00, 0x0A]
        try require(isRight, "a search for \(value.count) bytes was answered \(answer)")
    }
}
