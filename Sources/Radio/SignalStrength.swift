/// The received signal strength of a device, in dBm.
public struct SignalStrength: Hashable, Sendable {
    /// Of the latest report that has it.
    public private(set) var last: Int8?
    /// Of the strongest report.
    public private(set) var maximum: Int8?
    private var sum = 0
    private var count = 0

    /// No reports yet.
    public init() {}

    /// Adds a report of `rssi` dBm; nil where it has none.
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
