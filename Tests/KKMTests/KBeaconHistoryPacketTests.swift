import TestSupport
import Testing
import UpdateModel

@testable import KKM

/// A beacon's answer with 45 records, and its packets (kbeacon.md, Acks, Records).
struct AnswerInPackets: CustomTestStringConvertible, Sendable {
    let generation: KBeaconGeneration
    let kind: KBeaconRecordKind
    let shape: String
    let packets: [[UInt8]]

    var testDescription: String { "\(shape) of \(kind) in generation \(generation.rawValue)" }

    static let count = 45
    static let lastBehindEnd = "frames, last behind 0"

    /// The record with this number, from 0.
    static func record(_ number: Int, of kind: KBeaconRecordKind) -> [UInt8] {
        let (time, low) = ([0x65, 0xF0, 0, UInt8(number)], UInt8(number & 0x7F))
        return switch kind {
        case .humidity: time + [0xFE, low, 0x32, 0x40]
        case .alarm, .pir: time + [low & 1]
        case .light: time + [low & 1, 0x5A, 0xEA, low]
        case .voc: time + [0x01, low, 0x00, low]
        case .carbonDioxide: time + [0xEA, low, 0x19, 0x80, 0x64, 0x00]
        }
    }

    static func content(_ number: Int, of kind: KBeaconRecordKind) -> KBeaconRecord.Content {
        let low = UInt16(number & 0x7F)
        return switch kind {
        case .humidity: .climate(temperature: -2 + Double(low) / 256, humidity: 50.25)
        case .alarm, .pir: .state(UInt8(low & 1))
        case .light: .light(type: UInt8(low & 1), lux: 0xEA00 + low)
        case .voc: .air(voc: 256 + low, nox: low)
        case .carbonDioxide: .carbonDioxide(ppm: 0xEA00 + low, temperature: 25.5, humidity: 100)
        }
    }

    private static func frame(_ numbers: Range<Int>, of kind: KBeaconRecordKind) -> [UInt8] {
        let records = numbers.flatMap { record($0, of: kind) }
        let (length, next) = (5 + records.count, numbers.upperBound)
        let position: [UInt8] = next == count ? [0xFF, 0xFF, 0xFF, 0xFF] : [0, 0, 0, UInt8(next)]
        return [0x02, UInt8(length >> 8), UInt8(length & 0xFF), kind.rawValue] + position + records
    }

    private static func ack(_ cause: UInt8, _ data: ArraySlice<UInt8> = []) -> [UInt8] {
        [0x03, 0, UInt8(data.count & 0xFF), 0, 1, 0, cause] + data
    }

    /// A report with `frame` from `start` on, in packets of `size` bytes.
    private static func report(_ frame: [UInt8], from start: Int = 0, size: Int) -> [[UInt8]] {
        stride(from: start, to: frame.count, by: size).map { begin in
            let end = min(begin + size, frame.count)
            let tag: UInt8 =
                begin == 0 ? (end == frame.count ? 3 : 0) : end == frame.count ? 2 : 1
            return [0x50 | tag, UInt8(begin >> 8), UInt8(begin & 0xFF)] + frame[begin..<end]
        }
    }

    /// All shapes that a generation has for such an answer; frames of an answer with several never fit into one packet.
    static func shapes(_ generation: KBeaconGeneration, _ kind: KBeaconRecordKind) -> [AnswerInPackets] {
        let whole = frame(0..<count, of: kind)
        let frames = [(0..<20, 48), (20..<35, 40), (35..<45, 56)].map {
            report(frame($0, of: kind), size: $1)
        }
        let log = [0x53, 0, 0, 0x10] + Array("log".utf8)
        let split = [ack(5, whole[..<60])] + report(whole, from: 60, size: 100)
        var rows: [(String, [[UInt8]])] = [("inline", [ack(0, whole[...])])]
        switch generation {
        case .first:
            rows += [
                ("report", [ack(5)] + report(whole, size: 100)), ("split", split),
                ("single", report(whole, size: 1000)),
                ("report, log", [log, ack(5)] + report(whole, size: 100)),
                ("behind an ack, then 0", [ack(5, whole[...]), ack(0)]),
            ]
        case .second:
            let parts = frames[0] + [ack(7)] + frames[1] + [ack(7)]
            rows += [
                ("report, 6", [ack(5)] + report(whole, size: 100) + [ack(6)]),
                ("report, 0", [ack(5)] + report(whole, size: 100) + [ack(0)]),
                ("split, 6", split + [ack(6)]), ("single, 6", report(whole, size: 1000) + [ack(6)]),
                ("behind an ack, then 6", [ack(5, whole[...]), ack(6)]),
                ("frames, 6", [ack(5)] + parts + frames[2] + [ack(6)]),
                ("frames, 0", [ack(5)] + parts + frames[2] + [ack(0)]),
                (lastBehindEnd, [ack(5)] + parts + [ack(0, frame(35..<45, of: kind)[...])]),
                ("frames, log", [ack(5), log] + parts + [log] + frames[2] + [ack(6)]),
            ]
        }
        return rows.map { AnswerInPackets(generation: generation, kind: kind, shape: $0, packets: $1) }
    }

    /// Frames without any mark that another one follows.
    static let unannounced = KBeaconRecordKind.allCases.map { kind in
        let packets = [0..<20, 20..<45].flatMap { report(frame($0, of: kind), size: 48) }
        return AnswerInPackets(
            generation: .second, kind: kind, shape: "frames, unannounced", packets: packets + [ack(6)])
    }
    static let all = KBeaconGeneration.allCases.flatMap { generation in
        KBeaconRecordKind.allCases.flatMap { shapes(generation, $0) }
    }
    /// Of one kind, for slow tests.
    static let ofHumidity = KBeaconGeneration.allCases.flatMap { shapes($0, .humidity) }
}

/// Packets with an answer, and their outcome.
@Suite struct `The packets with a KBeacon's records` {
    /// The result of the request when `packets` come, and then none.
    private func outcome(
        _ packets: [[UInt8]], in answer: AnswerInPackets
    ) throws -> Result<KBeaconRecordPage, SessionFailure> {
        let words = answer.generation == .first ? "002D 002D" : "0000002D 0000002D"
        let summary = try #require(
            KBeaconHistorySummary(
                answer: [0x01, answer.kind.rawValue] + [UInt8](hex: words + "00000000"), of: answer.kind,
                answer.generation))
        let model = answer.generation == .first ? "modle" : "model"
        let identity = try #require(KBeaconIdentity(answer: Array("{\"\(model)\":\"K\"}".utf8)))
        let peer = KBeaconQuery.Peer(
            terms: KBeaconHandshake.Terms(dataLength: 17), identity: identity)
        var played = try PlayedDialogue(KBeaconHistoryCursor(through: summary).query(to: peer))
        var rest = packets[...]
        do {
            for _ in 0..<200 {
                switch played.command {
                case .end(let page): return .success(page)
                case .write: try played.take(.done)
                default: try played.take(rest.popFirst().map(DialogueOutcome.value) ?? .timedOut)
                }
            }
        } catch { return .failure(error) }
        Issue.record("no end")
        return .success(KBeaconRecordPage(records: [], next: nil))
    }

    private func isRight(_ packets: [[UInt8]], in answer: AnswerInPackets) throws -> Bool {
        guard case .success(let page) = try outcome(packets, in: answer) else { return false }
        return page.next == nil
            && page.records.map(\.content)
                == (0..<AnswerInPackets.count).map { AnswerInPackets.content($0, of: answer.kind) }
            && page.records.map { $0.time & 0xFF } == (0..<UInt32(AnswerInPackets.count)).map(\.self)
    }

    /// If the end comes early, it may be that of a page, after which the next one is requested.
    private func isRightOrFailure(_ packets: [[UInt8]], in answer: AnswerInPackets) throws -> Bool {
        guard case .success(let page) = try outcome(packets, in: answer) else { return true }
        let count = page.next.map { Int($0) } ?? AnswerInPackets.count
        return page.records.map(\.content)
            == (0..<count).map { AnswerInPackets.content($0, of: answer.kind) }
    }

    @Test(arguments: AnswerInPackets.all + AnswerInPackets.unannounced) func `are a complete answer`(
        answer: AnswerInPackets
    ) throws {
        #expect(try isRight(answer.packets, in: answer))
    }

    @Test(arguments: AnswerInPackets.ofHumidity)
    func `are the answer or a failure if one is cut off`(answer: AnswerInPackets) throws {
        for number in answer.packets.indices {
            for length in answer.packets[number].indices {
                var cut = answer.packets
                cut[number] = Array(answer.packets[number].prefix(length))
                #expect(try isRightOrFailure(cut, in: answer), "\(number), \(length)")
            }
        }
    }

    @Test(arguments: AnswerInPackets.ofHumidity)
    func `are as many records or a failure if a bit is flipped`(answer: AnswerInPackets) throws {
        for number in answer.packets.indices {
            for index in answer.packets[number].indices {
                for bit in 0..<8 {
                    var flipped = answer.packets
                    flipped[number][index] ^= 1 << bit
                    guard case .success(let page) = try outcome(flipped, in: answer) else { continue }
                    // A cause 7 with a flipped bit may be the end: then the next records are requested.
                    let isWhole = page.records.count == AnswerInPackets.count
                    #expect(isWhole || page.next.map { Int($0) } == page.records.count)
                }
            }
        }
    }

    @Test(arguments: AnswerInPackets.all)
    func `are the answer or a failure if one is lost, doubled, or out of order`(answer: AnswerInPackets)
        throws
    {
        let packets = answer.packets
        for number in packets.indices {
            var lost = packets
            lost.remove(at: number)
            #expect(try isRightOrFailure(lost, in: answer), "lost: \(number)")
            var doubled = packets
            doubled.insert(packets[number], at: number)
            #expect(try isRight(doubled, in: answer), "doubled: \(number)")
            // A last frame that comes first is an answer of its own.
            for other in packets.indices where answer.shape != AnswerInPackets.lastBehindEnd {
                var swapped = packets
                swapped.swapAt(number, other)
                #expect(try isRightOrFailure(swapped, in: answer), "swapped: \(number), \(other)")
                // One that comes late, after others.
                var late = lost
                late.insert(packets[number], at: min(other, late.count))
                #expect(try isRightOrFailure(late, in: answer), "late: \(number), \(other)")
            }
        }
    }

    @Test(arguments: AnswerInPackets.ofHumidity)
    func `are the answer or a failure if an offset is wrong`(answer: AnswerInPackets) throws {
        for number in answer.packets.indices where answer.packets[number][0] >> 4 == 5 {
            for offset: UInt16 in [0, 1, 48, 100, 4096, 0xFFFF] {
                var wrong = answer.packets
                wrong[number].replaceSubrange(1...2, with: [UInt8(offset >> 8), UInt8(offset & 0xFF)])
                #expect(try isRightOrFailure(wrong, in: answer), "\(number), \(offset)")
            }
        }
    }

    @Test(
        arguments: [
            // Without an end; and with an end before the data, in them, and after a frame that announces another.
            ("frames, 6", [.drop(1)], .device.noAnswer), ("frames, 6", [.keepUntilMore], .device.noAnswer),
            ("report, 6", [.moveEnd(to: 1)], .session.answerMalformed),
            ("report, 6", [.drop(2), .end], .session.answerMalformed),
            ("frames, 6", [.moveEnd(to: 3)], .session.answerMalformed),
        ] as [(String, [Change], FailureCode)])
    func `are a failure without the end, or if it comes early`(
        shape: String, changes: [Change], code: FailureCode
    ) throws {
        let answer = try #require(
            AnswerInPackets.shapes(.second, .humidity).first { $0.shape == shape })
        let packets = changes.reduce(into: answer.packets) { $1.apply(to: &$0) }
        guard case .failure(let failure) = try outcome(packets, in: answer) else {
            return #expect(Bool(false))
        }
        #expect(failure.code == code)
    }

    /// A change of packets of which the last one is the end.
    enum Change: Sendable {
        case drop(Int)
        case end
        case moveEnd(to: Int)
        case keepUntilMore

        func apply(to packets: inout [[UInt8]]) {
            switch self {
            case .drop(let count): packets.removeLast(count)
            case .end: packets.append([0x03, 0, 0, 0, 0, 0, 6])
            case .moveEnd(let place): packets.insert(packets.removeLast(), at: place)
            case .keepUntilMore:
                let more = packets.firstIndex { $0.first == 0x03 && $0.last == 7 } ?? 0
                packets.removeSubrange((more + 1)...)
            }
        }
    }

    @Test func `are refused as the answer to another request`() throws {
        let answer = try #require(AnswerInPackets.shapes(.second, .humidity).first)
        let summary = [0x03, 0, 14, 0, 0, 0, 0] + [UInt8](hex: "01 02 00000004 00000004 00000000")
        guard case .failure(let failure) = try outcome([summary], in: answer) else {
            return #expect(Bool(false))
        }
        #expect(failure.code == .session.answerMalformed)
    }
}
