/// AltBeacon, under any company (beacon-frames.md, AltBeacon):
///
///     0  2  BE AC
///     2  20 beacon id, of which the first 16 bytes are often a UUID
///     22 1  power at 1 m in dBm, signed
///     23 1  reserved for the company
package struct AltBeacon: Equatable, Sendable {
    /// The company number of the data.
    package let company: UInt16
    /// Twenty bytes.
    package let id: [UInt8]
    /// In dBm, at 1 m.
    package let measuredPower: Int8
    /// The company's own byte.
    package let reserved: UInt8

    /// Parses the data of `company`; throws if it is short or begins differently.
    package init(parsing bytes: [UInt8], of company: UInt16) throws(FrameError) {
        self.company = company
        var reader = FrameReader(bytes, .altBeacon)
        try reader.mark("beacon code", 0xBE, 0xAC)
        id = try reader.bytes("beacon id", 20)
        measuredPower = try reader.signed("reference RSSI")
        reserved = try reader.integer("reserved")
    }

    var facts: FrameFacts {
        FrameFacts(
            number: ProximityIdentity(.altBeacon(company: company, id: id), measuredPower: measuredPower),
            measuredPower: measuredPower)
    }
}
