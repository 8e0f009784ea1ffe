import Sessions
import TestSupport
import Testing

@testable import KBeacon

/// Packets with an answer, and what became of them.
@Suite struct `The packets with a KBeacon's records` {
    private static let page = [UInt8](
        hex: "02 0025 02 FFFFFFFF 65F00000 FE80 3240 65F00258 1980 6400 65F004B0 0000 0000 65F00708 0000 0000"
    )
    private static let records = try? KBeaconRecordPage(answer: page, of: .humidity).records

    /// The same answer, in every shape that beacons give one.
    private static let shapes: [[[UInt8]]] = {
        let report = stride(from: 0, to: page.count, by: 16).map { start in
            let end = min(start + 16, page.count)
            let tag: UInt8 = start == 0 ? 0 : end == page.count ? 2 : 1
            return [0x50 | tag, 0, UInt8(start)] + page[start..<end]
        }
        let received: [UInt8] = [0x03, 0, 10, 0, 0, 0, 5]
        return [
            [[0x03, 0, UInt8(page.count), 0, 0, 0, 0] + page], [received] + report,
            [received + page[..<16]] + report.dropFirst(), [[0x53, 0, 0] + page],
        ]
    }()

    /// What the question comes to where these packets come, and then none.
    private func outcome(_ packets: [[UInt8]]) throws -> Result<[KBeaconRecord], SessionFailure> {
        let summary = try #require(
            KBeaconHistorySummary(
                answer: [UInt8](hex: "01 02 00000004 00000004 00000000"), of: .humidity, .second))
        let identity = try #require(KBeaconIdentity(answer: Array(#"{"model":"KBPro"}"#.utf8)))
        let peer = KBeaconIntroduction.Peer(
            terms: KBeaconHandshake.Terms(dataLength: 17), identity: identity)
        var held = try Held(KBeaconHistoryCourse(through: summary).question(to: peer))
        var rest = packets[...]
        do {
            for _ in 0..<200 {
                switch held.command {
                case .end(let page): return .success(page.records)
                case .write: try held.take(.done)
                default: try held.take(rest.popFirst().map(DialogueOutcome.value) ?? .timedOut)
                }
            }
        } catch let failure as SessionFailure { return .failure(failure) }
        Issue.record("no end")
        return .success([])
    }

    private func isRightOrFailure(_ packets: [[UInt8]]) throws -> Bool {
        switch try outcome(packets) {
        case .success(let records): records == Self.records
        case .failure: true
        }
    }

    @Test(arguments: shapes) func `are an answer`(packets: [[UInt8]]) throws {
        #expect(try outcome(packets) == .success(try #require(Self.records)))
    }

    @Test(arguments: shapes) func `are the answer or a failure where one is cut off`(packets: [[UInt8]])
        throws
    {
        for number in packets.indices {
            for length in packets[number].indices {
                var cut = packets
                cut[number] = Array(packets[number].prefix(length))
                #expect(try isRightOrFailure(cut), "\(number), \(length)")
            }
        }
    }

    @Test(arguments: shapes) func `are as many records or a failure where a bit is flipped`(
        packets: [[UInt8]]
    )
        throws
    {
        for number in packets.indices {
            for index in packets[number].indices {
                for bit in 0..<8 {
                    var flipped = packets
                    flipped[number][index] ^= 1 << bit
                    if case .success(let records) = try outcome(flipped) { #expect(records.count == 4) }
                }
            }
        }
    }

    @Test(arguments: shapes) func `are the answer or a failure where one is lost, doubled, or out of order`(
        packets: [[UInt8]]
    ) throws {
        for number in packets.indices {
            var lost = packets
            lost.remove(at: number)
            #expect(try isRightOrFailure(lost))
            var doubled = packets
            doubled.insert(packets[number], at: number)
            #expect(try outcome(doubled) == .success(try #require(Self.records)))
            for other in packets.indices {
                var swapped = packets
                swapped.swapAt(number, other)
                #expect(try isRightOrFailure(swapped))
                // One that comes late, behind others.
                var late = lost
                late.insert(packets[number], at: min(other, late.count))
                #expect(try isRightOrFailure(late))
            }
        }
    }

    @Test func `are no answer to another question`() throws {
        let summary = [0x03, 0, 14, 0, 0, 0, 0] + [UInt8](hex: "01 02 00000004 00000004 00000000")
        guard case .failure(let failure) = try outcome([summary]) else { return #expect(Bool(false)) }
        #expect(failure.code == .malformed)
    }
}
