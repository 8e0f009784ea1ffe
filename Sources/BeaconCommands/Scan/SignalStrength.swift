/// How loud a device was heard, in dBm.
struct SignalStrength: Hashable, Sendable {
    /// In the latest report that told.
    private(set) var last: Int8?
    /// In the loudest report.
    private(set) var maximum: Int8?
    private var sum = 0
    private var count = 0

    mutating func add(_ rssi: Int8?) {
        guard let rssi else { return }
        last = rssi
        maximum = max(maximum ?? rssi, rssi)
        sum += Int(rssi)
        count += 1
    }

    /// The mean of the dBm values; nil when no report told.
    var average: Double? { count > 0 ? Double(sum) / Double(count) : nil }
}
