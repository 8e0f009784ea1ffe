/// The Battery Level characteristic's value as service data, 180F (Battery Service 1.1, 3.1; Core Specification
/// Supplement, Part A, 1.11):
///
///     0  1  percent
public struct BatteryLevel: Equatable, Sendable {
    /// 0 to 100.
    public let percent: Int

    /// Parses the level; throws unless it has one byte.
    public init(parsing bytes: [UInt8]) throws(FrameError) {
        var reader = FrameReader(bytes, .batteryService)
        percent = min(Int(try reader.integer("level", as: UInt8.self)), 100)
        try reader.end(of: "level")
    }
}
