import Bytes

package struct KBeaconRecord: Equatable, Sendable {
    package enum Content: Equatable, Sendable {
        /// In degrees Celsius and in percent.
        case climate(temperature: Double, humidity: Double)
        /// A state, as the beacon numbers it.
        case state(UInt8)
        /// The reason for recording, by the beacon's number (0 PIR sensor, 1 light itself), and the light in lux.
        case light(type: UInt8, lux: UInt16)
        /// The indexes of volatile organic compounds and of nitrogen oxides.
        case air(voc: UInt16, nox: UInt16)
        /// In parts per million, degrees Celsius and percent.
        case carbonDioxide(ppm: UInt16, temperature: Double, humidity: Double)
    }

    /// The time in seconds: see ``KBeaconRecordClock``.
    package let time: UInt32
    package let content: Content

    /// Parses a record of `kind`; all numbers are big-endian.
    ///
    ///     0  4  time
    ///     …     humidity: temperature (2), humidity (2), both signed, in 1/256
    ///           alarm, PIR: state (1)
    ///           light: type (1), unused (1), lux (2)
    ///           VOC: index of VOC (2), of NOx (2)
    ///           CO2: ppm (2), temperature (2), humidity (2)
    init(parsing reader: inout ByteReader, of kind: KBeaconRecordKind) throws(ByteError) {
        time = try reader.integer("time", .big)
        switch kind {
        case .humidity:
            content = .climate(
                temperature: try Self.fixedPoint("temperature", &reader),
                humidity: try Self.fixedPoint("humidity", &reader))
        case .alarm, .pir: content = .state(try reader.integer("state"))
        case .light:
            let type: UInt8 = try reader.integer("type")
            _ = try reader.integer("reserved", as: UInt8.self)
            content = .light(type: type, lux: try reader.integer("light", .big))
        case .voc: content = .air(voc: try reader.integer("VOC", .big), nox: try reader.integer("NOx", .big))
        case .carbonDioxide:
            content = .carbonDioxide(
                ppm: try reader.integer("CO2", .big),
                temperature: try Self.fixedPoint("temperature", &reader),
                humidity: try Self.fixedPoint("humidity", &reader))
        }
    }

    private static func fixedPoint(_ field: StaticString, _ reader: inout ByteReader) throws(ByteError)
        -> Double
    {
        Double(Int16(bitPattern: try reader.integer(field, .big))) / 256
    }
}

/// Converts the times of a KBeacon's records (kbeacon.md, Records).
///
/// Beacons count from 1970 once their clock was set, and before that from power-on.
package struct KBeaconRecordClock: Equatable, Sendable {
    /// Times from this second on are of a clock that was set: 30 years of 365 days after 1970.
    private static let firstSet: UInt32 = 946_080_000

    private let beaconTime: UInt32
    private let systemTime: UInt32

    /// The beacon's clock showed `beaconTime` at `systemTime`, in seconds since 1970.
    package init(_ beaconTime: UInt32, at systemTime: UInt32) {
        (self.beaconTime, self.systemTime) = (beaconTime, systemTime)
    }

    /// The seconds since 1970 at `time` of the beacon's clock; nil if they are unknown, because the clock was set or the
    /// beacon switched off after the record.
    package func wallTime(of time: UInt32) -> UInt32? {
        if time >= Self.firstSet { return time }
        guard beaconTime < Self.firstSet, time <= beaconTime, beaconTime - time <= systemTime else {
            return nil
        }
        return systemTime - (beaconTime - time)
    }
}

/// The records in one answer of a KBeacon (kbeacon.md, Records).
package struct KBeaconRecordPage: Equatable, Sendable {
    static let noPosition: UInt32 = 0xFFFF_FFFF

    /// The records, in the requested order.
    package let records: [KBeaconRecord]
    /// The position of the next page; nil after the last.
    let next: UInt32?
}

extension KBeaconRecordPage {
    /// Parses the answer to the query for records of `kind`: one or several frames of this form; the next position of
    /// the last one counts.
    ///
    ///     0  1  02
    ///     1  2  the number of bytes that follow
    ///     3  1  kind
    ///     4  4  the position of the next records, or FFFFFFFF
    ///     8  …  records
    init(answer: [UInt8], of kind: KBeaconRecordKind) throws(ByteError) {
        var reader = ByteReader(answer)
        var records: [KBeaconRecord] = []
        var position: UInt32
        repeat {
            try reader.expect(0x02 as UInt8, "message")
            let length: UInt16 = try reader.integer("length", .big)
            var content = try reader.nested("records", Int(length))
            try content.expect(kind.rawValue, "kind")
            position = try content.integer("next position", .big)
            while content.remaining > 0 { records.append(try KBeaconRecord(parsing: &content, of: kind)) }
        } while reader.remaining > 0
        self.records = records
        next = position == Self.noPosition ? nil : position
    }
}

/// The kinds of records of a KBeacon, as far as their format is public (kbeacon.md, Records).
package enum KBeaconRecordKind: UInt8, CaseIterable, Sendable {
    case humidity = 0x02
    /// Opening and closing, for example of doors.
    case alarm = 0x08
    /// Motion of warm bodies (PIR).
    case pir = 0x10
    case light = 0x20
    /// Volatile organic compounds and nitrogen oxides.
    case voc = 0x40
    case carbonDioxide = 0x41

    var summaryQuery: [UInt8] { [0x01, rawValue] }
}
