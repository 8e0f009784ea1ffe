/// KKM's system frame (beacon-frames.md, KBeacon), service FEAA or company 0A53. Only the second generation has it:
///
///     0  1  22
///     1  1  number of the model
///     2  1  battery in percent
///     3  6  address, in printed order
///     9  1  firmware, major
///     10 1  firmware, minor
public struct KKMSystem: Equatable, Sendable {
    /// The first three bytes of the public addresses of newer beacons.
    static let prefix: [UInt8] = [0xBC, 0x57, 0x29]

    /// The model's number; no list of names is published.
    public let modelNumber: UInt8
    /// 0 to 100.
    public let percent: Int
    /// As text.
    public let address: String
    /// Major and minor, decimal.
    public let version: String

    /// Parses the frame; throws if it is short or begins differently.
    public init(parsing bytes: [UInt8]) throws(FrameError) {
        var reader = FrameReader(bytes, .kkmSystem)
        try reader.mark("frame type", 0x22)
        modelNumber = try reader.integer("model")
        percent = min(Int(try reader.integer("battery", as: UInt8.self)), 100)
        address = try reader.address("address")
        let major: UInt8 = try reader.integer("firmware, major")
        version = "\(major).\(try reader.integer("firmware, minor", as: UInt8.self))"
    }

    var facts: FrameFacts {
        FrameFacts(
            modelNumber: Int(modelNumber), id: address, version: version,
            charge: BatteryCharge(percent: percent))
    }
}
