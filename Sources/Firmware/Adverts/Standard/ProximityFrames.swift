import Bluetooth
package import UpdateModel

/// Apple's proximity beacon, company 004C (beacon-frames.md, iBeacon):
///
///     0  2  02 15
///     2  16 UUID, most significant byte first
///     18 2  major, big-endian
///     20 2  minor, big-endian
///     22 1  power at 1 m in dBm, signed
package struct IBeacon: FrameFormat {
    package static let kind = FrameKind("ibeacon", of: .iBeacon)
    package static let places: [FramePlace] = [.manufacturer(0x004C, 0x02, 0x15)]

    package let facts: FrameFacts

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        try reader.mark("type and length", 0x02, 0x15)
        let high: UInt64 = try reader.integer("UUID")
        let uuid = BluetoothUUID(high: high, low: try reader.integer("UUID"))
        let major: UInt16 = try reader.integer("major")
        let minor: UInt16 = try reader.integer("minor")
        facts = FrameFacts(
            .iBeacon(uuid: uuid, major: major, minor: minor), power: try reader.signed("measured power"))
    }
}

extension FrameFacts {
    /// The identity `number` of a beacon that is heard with `power` dBm at 1 m.
    init(_ number: ProximityIdentity.Number, power: Int8) {
        self.init(number: ProximityIdentity(number, measuredPower: power), measuredPower: power)
    }
}

/// AltBeacon, under any company (beacon-frames.md, AltBeacon):
///
///     0  2  BE AC
///     2  20 beacon id, of which the first 16 bytes are often a UUID
///     22 1  power at 1 m in dBm, signed
///     23 1  reserved for the company
package struct AltBeacon: FrameFormat {
    package static let kind = FrameKind("altbeacon", of: .altBeacon)
    package static let places: [FramePlace] = [.manufacturer(nil, 0xBE, 0xAC)]

    package let facts: FrameFacts

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        try reader.mark("beacon code", 0xBE, 0xAC)
        let id = try reader.bytes("beacon id", 20)
        facts = FrameFacts(
            .altBeacon(company: reader.company ?? 0, id: id), power: try reader.signed("reference RSSI"))
        _ = try reader.integer("reserved", as: UInt8.self)
    }
}
