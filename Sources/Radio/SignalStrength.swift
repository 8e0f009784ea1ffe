/// How loud a device was heard, in dBm.
public struct SignalStrength: Hashable, Sendable {
    /// In the latest report that told.
    public private(set) var last: Int8?
    /// In the loudest report.
    public private(set) var maximum: Int8?
    private var sum = 0
    private var count = 0

    /// Nothing was heard yet.
    public init() {}

    /// A report that was `rssi` loud; nil where it does not tell.
    public mutating func add(_ rssi: Int8?) {
        guard let rssi else { return }
        last = rssi
        maximum = max(maximum ?? rssi, rssi)
        sum += Int(rssi)
        count += 1
    }

    /// The mean of the dBm values; nil when no report told.
    public var average: Double? { count > 0 ? Double(sum) / Double(count) : nil }
}
