/// The received signal strength of a device, in dBm.
public struct SignalStrength: Hashable, Sendable {
    /// The latest reported strength.
    public private(set) var last: Int8?
    /// The strongest reported strength.
    public private(set) var maximum: Int8?
    private var sum = 0
    private var count = 0

    /// No reports yet.
    public init() {}

    /// Adds a report of `rssi` dBm; nil if it has none.
    public mutating func add(_ rssi: Int8?) {
        guard let rssi else { return }
        last = rssi
        maximum = max(maximum ?? rssi, rssi)
        sum += Int(rssi)
        count += 1
    }

    /// The mean of the dBm values; nil when no report has one.
    public var average: Double? { count > 0 ? Double(sum) / Double(count) : nil }
}
