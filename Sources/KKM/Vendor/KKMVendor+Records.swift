import Bytes
package import UpdateModel

extension KKMVendor: RecordsVendor {
    package var recordKinds: [RecordKind] { KBeaconRecordKind.allCases.map(\.kind) }

    package func summary(
        of kind: RecordKind, from peer: KBeaconQuery.Peer
    ) throws(SessionFailure) -> KBeaconRecordQuery<KBeaconHistorySummary> {
        guard let own = KBeaconRecordKind.allCases.first(where: { $0.kind == kind }) else {
            throw SessionFailure(
                .session.notSupported, during: "reading the records",
                "KBeacons have no records of \(kind.name)")
        }
        return KBeaconHistoryCursor.summary(of: own, asking: peer)
    }

    package func cursor(
        through summary: KBeaconHistorySummary, _ selection: RecordSelection, at moment: UInt32
    ) -> KBeaconRecordRows {
        KBeaconRecordRows(
            cursor: KBeaconHistoryCursor(
                through: summary, selection.newestFirst ? .newestFirst : .oldestFirst, from: selection.first,
                atMost: selection.count), clock: KBeaconRecordClock(summary.clock, at: moment))
    }

    package func wait(
        forEventOf peer: KBeaconQuery.Peer, within limit: Duration?
    ) -> MappedDialogue<KBeaconEventWait, [String: Fact]?> {
        MappedDialogue(KBeaconEventWait(for: peer, within: limit)) { (event) throws(SessionFailure) in
            event?.facts
        }
    }
}

extension KBeaconHistorySummary: RecordSummary {}

package struct KBeaconRecordRows: RecordCursor {
    package typealias Peer = KBeaconQuery.Peer

    fileprivate var cursor: KBeaconHistoryCursor
    fileprivate let clock: KBeaconRecordClock

    package var count: Int { cursor.count }
    package var expected: Int { cursor.expected }
    package var isOver: Bool { cursor.isOver }

    package func query(to peer: Peer) -> KBeaconRecordQuery<KBeaconRecordPage> { cursor.query(to: peer) }

    package mutating func take(_ page: KBeaconRecordPage) throws(SessionFailure) -> [RecordRow] {
        let before = cursor.count
        return try cursor.add(page).enumerated().map { place, record in
            RecordRow(
                number: cursor.number(after: before + place), recorded: record.time,
                time: clock.wallTime(of: record.time), cells: record.content.cells)
        }
    }
}

extension KBeaconRecordKind {
    fileprivate var kind: RecordKind {
        let climate = ["temperature_celsius", "humidity_percent"]
        return switch self {
        case .humidity: RecordKind("humidity", title: "humidity (with temperature)", columns: climate)
        case .alarm: RecordKind("alarm", columns: ["state"])
        case .pir: RecordKind("pir", columns: ["state"])
        case .light: RecordKind("light", columns: ["type", "lux"])
        case .voc: RecordKind("voc", columns: ["voc_index", "nox_index"])
        case .carbonDioxide: RecordKind("co2", columns: ["co2_ppm"] + climate)
        }
    }
}

extension KBeaconRecord.Content {
    fileprivate var cells: [String] {
        switch self {
        case .climate(let temperature, let humidity): [temperature, humidity].map(Self.thousandths)
        case .state(let state): ["\(state)"]
        case .light(let type, let lux): ["\(type)", "\(lux)"]
        case .air(let voc, let nox): ["\(voc)", "\(nox)"]
        case .carbonDioxide(let ppm, let temperature, let humidity):
            ["\(ppm)"] + [temperature, humidity].map(Self.thousandths)
        }
    }

    /// `value` with at most three decimal places, because the beacon counts in 256ths.
    private static func thousandths(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }
}

extension KBeaconEvent {
    fileprivate var facts: [String: Fact] {
        var members: [String: Fact] = [
            "type": .integer(Int(type)), "kind": .optional(name), "click": .optional(click),
            "bytes": .text(HexText.encode(bytes)),
        ]
        if let reading, case .climate(let temperature, let humidity) = reading.content {
            members["time_raw"] = .integer(Int(reading.time))
            members["temperature_celsius"] = .number(temperature)
            members["humidity_percent"] = .number(humidity)
        }
        return members
    }
}
