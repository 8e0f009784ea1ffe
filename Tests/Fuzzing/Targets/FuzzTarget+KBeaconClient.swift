import Bluetooth
import TestSupport
import UpdateModel

@testable import KKM

extension FuzzTarget {
    /// Answers of KBeacons.
    static let kbeaconClient = [handshake, exchange, identityQuery, history, kbeaconSettings]

    private static let password = KBeaconSession.factoryPassword
    private static let question: UInt32 = 0x0102_0304
    private static let address = DeviceAddress("BC:57:29:02:45:9F")
    /// The proofs that the beacon knows the password (kbeacon.md, Handshake).
    private static let proof = [UInt8](hex: "5ae52a03f893c9d8ce1112b12c4f5250")
    private static let foldedProof = [UInt8](hex: "94f438b2d4dc9b88")

    private static func shaking() throws(Violation) -> KBeaconHandshake {
        guard let address else { throw Violation(description: "no address") }
        return KBeaconHandshake(with: address, password, challenge: question, settingClock: nil)
    }

    private static func isProven(by packets: [[UInt8]]) -> Bool {
        packets.contains { packet in
            packet.count > 6 && packet[0] >> 4 == 1
                && [proof, foldedProof].contains(Array(packet.dropFirst(6)))
        }
    }

    /// A row of notifications; the session opens only for a beacon that has proved that it knows the password.
    private static let handshake = FuzzTarget("kbeacon-handshake", seeds: { openings }) { input in
        let packets = Script(input).packets
        var peer = NotifyingPeer(packets)
        guard let terms = try peer.hold(try shaking(), { (_) throws(Violation) in }) else { return }
        try demand(isProven(by: packets), "a session without a proof")
        try demand(
            packets.contains { $0.count >= 2 && $0[0] >> 4 == 1 && $0[1] == 0x02 }, "a session without a word"
        )
        try demand((1...241).contains(terms.dataLength), "packets of \(terms.dataLength) bytes")
    }

    /// The first byte is the number of message bytes in a packet, the second chooses the form and the length of the
    /// message.
    private static let exchange = FuzzTarget("kbeacon-exchange", seeds: { answers }) { input in
        let choice = Int(input.dropFirst().first ?? 0)
        let forms: [KBeaconExchange.Form] = [.text, .binary(.second), .binary(.first)]
        let form = forms[choice % forms.count]
        let packets = Script(Array(input.dropFirst(2))).packets
        var peer = NotifyingPeer(packets)
        let message = [UInt8](repeating: 0x20, count: 1 + choice)
        let terms = KBeaconHandshake.Terms(dataLength: 1 + Int(input.first ?? 0) % 241)
        let answer = try peer.hold(KBeaconExchange(message, form, on: terms, during: "fuzzing")) {
            (exchange) throws(Violation) in
            try demand(exchange.answer.count <= 1 << 16, "\(exchange.answer.count) bytes are kept")
            try demand(exchange.frame?.count ?? 0 <= 4096, "a frame of \(exchange.frame?.count ?? 0) bytes")
        }
        guard let answer else { return }
        guard let last = peer.heard.last.flatMap(KBeaconPacket.init) else {
            throw Violation(description: "an answer without packets")
        }
        let isEnd =
            last.kind == form.command
            ? KBeaconAck(last).map { $0.cause == .done || $0.cause == .complete && form.hasFrames } ?? false
            : last.kind == form.report && [.end, .single].contains(last.tag) && !form.hasFrames
        try demand(isEnd, "an answer without an end")
        try demand(answer.count <= peer.heard.reduce(0) { $0 + $1.count }, "an answer without a source")
    }

    /// A row of notifications.
    private static let identityQuery = FuzzTarget("kbeacon-introduction", seeds: { identityQueries }) {
        input in
        let packets = Script(input).packets
        var peer = NotifyingPeer(packets)
        let found = try peer.hold(KBeaconQuery(after: try shaking(), asking: .second)) {
            (_) throws(Violation) in
        }
        guard let found else { return }
        try demand(isProven(by: packets), "a session without a proof")
        try demand(found.identity.battery ?? 0 <= 100, "a battery of \(found.identity.battery ?? 0) %")
        let letters = Set(packets.joined())
        // With an escape in JSON, the text has other bytes than the input.
        let isThere = found.identity.model.utf8.allSatisfy(letters.contains) || letters.contains(0x5C)
        try demand(isThere, "a model without a source")
    }

    /// The first byte chooses kind and generation. The rest is a row of notifications: a summary, then records.
    private static let history = FuzzTarget("kbeacon-history", seeds: { records }) { input in
        let choice = Int(input.first ?? 0)
        let kinds = KBeaconRecordKind.allCases
        let kind = kinds[choice % kinds.count]
        let model = choice & 0x80 == 0 ? "model" : "modle"
        guard let identity = KBeaconIdentity(answer: Array("{\"\(model)\":\"x\"}".utf8)) else { return }
        let asked = KBeaconQuery.Peer(
            terms: KBeaconHandshake.Terms(dataLength: 17), identity: identity)
        let packets = Script(Array(input.dropFirst())).packets
        for packet in packets {
            let event = KBeaconEvent(packet, of: identity.generation)
            try demand(event?.bytes ?? [] == packet, "an event of other bytes")
        }
        var peer = NotifyingPeer(packets)
        let summary = try peer.hold(KBeaconHistoryCursor.summary(of: kind, asking: asked)) {
            (_) throws(Violation) in
        }
        guard let summary else { return }
        var course = KBeaconHistoryCursor(through: summary)
        var count = 0
        while !course.isOver {
            guard let page = try peer.hold(course.query(to: asked), { (_) throws(Violation) in }) else {
                return
            }
            count += page.records.count
            do throws(SessionFailure) { try course.add(page) } catch { return }
            try demand(course.isOver == (page.next == nil), "an end that the beacon has not reported")
            try demand(course.count == count && count <= summary.total + 4096, "\(count) records")
        }
    }

    private static let welcome: [[UInt8]] = [
        [0x10, 0x01, 9, 9, 9, 9] + proof, [0x10, 0x02, 0xF7],
    ]

    private static let openings = [
        welcome, [[0x13, 0x0B, 9, 9, 9, 9] + foldedProof, [0x13, 0x02]], [welcome[0], [0x10, 0xF1]],
        [[0x10, 0x01, 9, 9, 9, 9] + [UInt8](repeating: 7, count: 16)], [welcome[0], welcome[0], welcome[1]],
        [welcome[0], [0x10, 0x02, 3]], [[], [0x10], [0x10, 0x01, 1]],
    ].map(Script.input)

    private static let text = Array(#"{"model":"K6","ver":"V6.20","btPt":109,"bCap":524289}"#.utf8)
    private static let identities: [[[UInt8]]] = [
        [[0x23, 0, UInt8(text.count), 0, 0, 0, 0] + text],
        [
            [0x23, 0, 17, 0, 0, 0, 4], [0x23, 0, 0, 0, 0, 0, 5], [0x30, 0, 0] + text[..<30],
            [0x32, 0, 30] + text[30...],
        ],
        [[0x23, 0, 0, 0, 0, 1, 3], [0x33, 0, 0] + Array(#"{"modle":"K11"}"#.utf8)],
        [[0x23, 0, 0, 0, 0, 1, 0x0C], [0x23, 0, 0, 0, 0, 0, 7], [0x33, 0, 0] + text],
    ]

    private static let identityQueries = identities.map { Script.input(welcome + $0) }

    private static let answers =
        identities.map { [16, 24] + Script.input($0) }
        + [[240, 1] + Script.input([[0x53, 0, 0, 2, 1], [0x03, 0, 0, 0, 0, 0, 6]])]
        + [
            [240, 0]
                + Script.input(
                    (0..<18).map { [0x30 | ($0 == 0 ? 0 : 1), $0, 0] + [UInt8](repeating: 32, count: 250) })
        ]

    private static let records: [[UInt8]] = {
        func inline(_ hex: String) -> [UInt8] { [0x03, 0, 0, 0, 0, 0, 0] + [UInt8](hex: hex) }
        let rows: [(UInt8, [[UInt8]])] = [
            (
                0,
                [
                    inline("01 02 00000002 00000002 00000010"),
                    inline("02 000D 02 00000001 00000001 1400 2800"),
                    inline("02 000D 02 FFFFFFFF 00000002 1400 2800"),
                ]
            ),
            (
                0,
                [
                    inline("01 02 00000002 00000002 00000010"),
                    inline("02 000D 02 00000001 00000001 1400 2800"),
                    inline("02 000D 02 00000001 00000001 1400 2800"),
                ]
            ),
            (
                0,
                [
                    [0x03, 0, 0, 0, 0, 0, 5] + [UInt8](hex: "01 02 00000002 00000002 00000010"),
                    [0x03, 0, 0, 0, 0, 0, 6],
                    [0x53, 0, 0] + [UInt8](hex: "02 000D 02 00000001 00000001 1400 2800"),
                    [0x03, 0, 0, 0, 0, 0, 7],
                    [0x53, 0, 0] + [UInt8](hex: "02 000D 02 FFFFFFFF 00000002 1400 2800"),
                    [0x03, 0, 0, 0, 0, 0, 6],
                ]
            ),
            (0x82, [inline("01 10 0001 0001 00000010"), inline("02 000A 10 FFFFFFFF 00000001 01")]),
            (0x81, [inline("00 08 0000 0000 00000010"), [0x08, 0, 0, 0, 0, 1, 2, 3, 4]]),
        ]
        return rows.map { [$0.0] + Script.input($0.1) }
    }()
}
