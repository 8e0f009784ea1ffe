package import UpdateModel

/// AltBeacon, under any company (beacon-frames.md, AltBeacon):
///
///     0  2  BE AC
///     2  20 beacon id, of which the first 16 bytes are often a UUID
///     22 1  power at 1 m in dBm, signed
///     23 1  reserved for the company
package struct AltBeacon: FrameFormat {
    package static let kind = FrameKind("altbeacon", of: .altBeacon)
    package static let places: [FramePlace] = [.manufacturer(nil, 0xBE, 0xAC)]

    package let company: UInt16
    package let id: [UInt8]
    package let measuredPower: Int8
    package let reserved: UInt8

    package init(parsing reader: inout FrameReader) throws(FrameError) {
        company = reader.company ?? 0
        try reader.mark("beacon code", 0xBE, 0xAC)
        id = try reader.bytes("beacon id", 20)
        measuredPower = try reader.signed("reference RSSI")
        reserved = try reader.integer("reserved")
    }

    package var facts: FrameFacts {
        FrameFacts(
            number: ProximityIdentity(.altBeacon(company: company, id: id), measuredPower: measuredPower),
            measuredPower: measuredPower)
    }
}
