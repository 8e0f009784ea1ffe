/// Invented records of a sensor (kbeacon.md, Other parameters).
public struct KBeaconHistory: Hashable, Sendable {
    /// The sensor.
    public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        /// Temperature and humidity, each in 8.8 fixed point.
        case humidity = 2
        /// The cut-off or tamper alarm: a byte.
        case alarm = 8
        /// The motion detector: a byte.
        case motion = 0x10
        /// Light: a type, an unused byte, and lux.
        case light = 0x20
        /// The VOC index and the NOx index.
        case voc = 0x40
        /// CO2 in ppm; then temperature and humidity.
        case carbonDioxide = 0x41
    }

    /// The sensor.
    public var kind: Kind
    /// The number of records.
    public var count: UInt16
    /// The time of the first record, in seconds of UTC; below 946080000 in seconds of the beacon's clock.
    public var start: UInt32
    /// Seconds between two records.
    public var interval: UInt32 = 600
    /// The maximum number of records in a response.
    public var mostAtOnce = 10

    /// `count` records of `kind` since `start`.
    public init(_ kind: Kind, count: UInt16, since start: UInt32 = 1_700_000_000) {
        self.kind = kind
        self.count = count
        self.start = start
    }

    /// The record with this index, from 0.
    func record(_ index: Int, _ seed: UInt64) -> [UInt8] {
        let time = [UInt8](start &+ interval &* UInt32(truncatingIfNeeded: index))
        let step = UInt16(truncatingIfNeeded: UInt64(truncatingIfNeeded: index) &+ seed)
        // 20 to 22 °C, below 0 every tenth; 40 to 56 %.
        let degrees: UInt16 = step % 10 == 9 ? 0xFB80 : 0x1400 &+ (step % 32) << 4
        let climate = [UInt8](degrees) + [UInt8](0x2800 &+ (step % 64) << 6)
        return switch kind {
        case .humidity: time + climate
        case .alarm, .motion: time + [UInt8(step & 1)]
        // Up to 60 000 lux; the unused byte is not always 0.
        case .light: time + [UInt8(step & 1), UInt8(step % 3)] + [UInt8](60_000 &- step % 1000 &* 50)
        case .voc: time + [UInt8](100 &+ step % 400) + [UInt8](1 &+ step % 40)
        case .carbonDioxide: time + [UInt8](400 &+ step % 40_000) + climate
        }
    }
}
