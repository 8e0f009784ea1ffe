import Bluetooth
import Bytes

/// One report of a controller, or a part of one.
struct AdvertisingReport: Equatable, Sendable {
    enum Completeness: Equatable, Sendable {
        case complete
        /// More parts follow.
        case partial
        /// The rest was lost.
        case truncated
    }

    var address: DeviceAddress
    var rssi: Int8?
    var isConnectable: Bool?
    var data: [UInt8]
    var completeness = Completeness.complete
    /// Distinguishes the advertising sets of one sender.
    var set: UInt8 = 0xFF
    var packets: AdvertisingPackets? = .legacy

    var advertisement: Advertisement {
        Advertisement(
            address: address, rssi: rssi, isConnectable: isConnectable, data: AdvertisingData(data),
            packets: packets)
    }

    ///     0  1  type: 0 connectable, 1 directed, 2 scannable, 3 neither, 4 scan response
    ///     1  7  address type and address
    ///     8  1  length n
    ///     9  n  data
    ///   9+n  1  RSSI in dBm, signed; 127 when unknown
    ///
    /// Reports are read one after the other. The specification puts each field of all reports together, which makes no
    /// difference: controllers send one report at a time.
    static func legacy(parsing reader: inout ByteReader) throws(ByteError) -> [AdvertisingReport] {
        var list: [AdvertisingReport] = []
        for _ in 0..<(try reader.integer("reports", as: UInt8.self)) {
            let type: UInt8 = try reader.integer("event type")
            let address = try Self.address(parsing: &reader)
            let length: UInt8 = try reader.integer("data length")
            let data = Array(try reader.bytes("data", Int(length)))
            let rssi = try Self.rssi(parsing: &reader)
            guard let address else { continue }
            list.append(
                AdvertisingReport(
                    address: address, rssi: rssi, isConnectable: type == 4 ? nil : type < 2, data: data))
        }
        return list
    }

    ///     0  2  type; bit 0: connectable, 3: scan response, 4: legacy, 5 and 6: more to come, truncated
    ///     2  7  address type and address; type 0xFF: none
    ///     9  1  primary PHY
    ///    10  1  secondary PHY; 0 for none
    ///    11  1  advertising set
    ///    12  1  TX power
    ///    13  1  RSSI in dBm, signed; 127 when unknown
    ///    14  9  interval of periodic advertising, address that it is directed to
    ///    23  1  length n
    ///    24  n  data
    static func extended(parsing reader: inout ByteReader) throws(ByteError) -> [AdvertisingReport] {
        var list: [AdvertisingReport] = []
        for _ in 0..<(try reader.integer("reports", as: UInt8.self)) {
            let type: UInt16 = try reader.integer("event type")
            let address = try Self.address(parsing: &reader)
            let primary = PHY(hci: try reader.integer("primary PHY"))
            let secondary = PHY(hci: try reader.integer("secondary PHY"))
            let set: UInt8 = try reader.integer("advertising set")
            _ = try reader.integer("TX power", as: UInt8.self)
            let rssi = try Self.rssi(parsing: &reader)
            _ = try reader.bytes("interval and target", 9)
            let length: UInt8 = try reader.integer("data length")
            let data = Array(try reader.bytes("data", Int(length)))
            guard let address else { continue }
            var report = AdvertisingReport(
                address: address, rssi: rssi, isConnectable: type & 0x08 != 0 ? nil : type & 0x01 != 0,
                data: data, set: set)
            switch type >> 5 & 0x03 {
            case 0: report.completeness = .complete
            case 1: report.completeness = .partial
            default: report.completeness = .truncated
            }
            if type & 0x10 == 0 {
                report.packets = primary.map { .extended(primary: $0, secondary: secondary) }
            }
            list.append(report)
        }
        return list
    }

    /// Parses the sender's address; nil for an anonymous sender.
    private static func address(parsing reader: inout ByteReader) throws(ByteError) -> DeviceAddress? {
        let type: UInt8 = try reader.integer("address type")
        let address = try DeviceAddress(parsing: &reader, .init(eventType: type))
        return type == 0xFF ? nil : address
    }

    private static func rssi(parsing reader: inout ByteReader) throws(ByteError) -> Int8? {
        let rssi = Int8(bitPattern: try reader.integer("RSSI", as: UInt8.self))
        return rssi == 127 ? nil : rssi
    }
}

/// Joins the parts of extended reports: one part has at most 229 bytes.
struct ReportAssembly: Sendable {
    private struct Key: Hashable, Sendable {
        let address: DeviceAddress
        let set: UInt8
        let isResponse: Bool
    }

    /// The longest extended advertisement, in bytes (Vol 6, Part B, 2.3.4.9).
    static let mostData = 1650
    /// How many incomplete reports are kept. If there are more, all are dropped: the rest of some was lost.
    static let mostSenders = 64

    private var parts: [Key: [UInt8]] = [:]

    /// The whole report once its last part has arrived, cut off at `mostData`; nil before.
    mutating func add(_ report: AdvertisingReport) -> AdvertisingReport? {
        let key = Key(address: report.address, set: report.set, isResponse: report.isConnectable == nil)
        guard report.completeness == .partial || parts[key] != nil else { return report }
        var whole = report
        whole.data = Array(((parts[key] ?? []) + report.data).prefix(Self.mostData))
        guard report.completeness == .partial else {
            parts[key] = nil
            return whole
        }
        if parts.count >= Self.mostSenders, parts[key] == nil { parts = [:] }
        parts[key] = whole.data
        return nil
    }
}
