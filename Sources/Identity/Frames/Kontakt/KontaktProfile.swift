/// The common beginning of both forms of Kontakt.io's secure profile (beacon-frames.md, Kontakt), service FE6A:
///
///     0  1  01 shuffled, 02 plain
///     1  1  number of the model
///     2  1  firmware, major
///     3  1  firmware, minor
///     4  1  battery in percent
///     5  1  transmission power in dBm, signed
public struct KontaktProfile: Equatable, Sendable {
    /// The model's number.
    public let modelNumber: UInt8
    /// Major and minor, decimal.
    public let version: String
    /// 0 to 100.
    public let percent: Int
    /// In dBm.
    public let txPower: Int8

    init(parsing reader: inout FrameReader, after identifier: UInt8) throws(FrameError) {
        try reader.mark("identifier", identifier)
        modelNumber = try reader.integer("model")
        let major: UInt8 = try reader.integer("firmware, major")
        version = "\(major).\(try reader.integer("firmware, minor", as: UInt8.self))"
        percent = min(Int(try reader.integer("battery", as: UInt8.self)), 100)
        txPower = try reader.signed("transmission power")
    }

    var facts: FrameFacts {
        FrameFacts(
            modelNumber: Int(modelNumber), version: version, charge: BatteryCharge(percent: percent),
            txPower: Int(txPower))
    }
}
