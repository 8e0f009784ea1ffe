/// The battery as a beacon reports it; nil for what it does not report. Most report a percentage or a voltage,
/// some both.
public struct BatteryCharge: Hashable, Sendable {
    /// 0 to 100.
    public var percent: Int?
    /// Its voltage in millivolts.
    public var millivolts: Int?
    /// Whether the beacon reports external power.
    public var isExternal = false

    /// A charge; by default an unknown one.
    public init(percent: Int? = nil, millivolts: Int? = nil, isExternal: Bool = false) {
        self.percent = percent
        self.millivolts = millivolts
        self.isExternal = isExternal
    }

    /// A percentage in a byte. Fresh batteries are reported with more than 100, which is reduced to 100.
    init(percentByte: UInt8) { percent = min(Int(percentByte), 100) }

    /// A voltage in millivolts; 0 means unknown.
    init(voltage: some BinaryInteger) { millivolts = voltage > 0 ? Int(voltage) : nil }

    /// Updates it with the reports of `later`. External power has no percentage, and a percentage means a battery.
    mutating func update(with later: BatteryCharge) {
        percent = later.isExternal ? nil : later.percent ?? percent
        millivolts = later.millivolts ?? millivolts
        isExternal = later.isExternal || isExternal && later.percent == nil
    }
}

extension BatteryCharge: CustomStringConvertible {
    /// For people, for example `80 %, 2900 mV`.
    public var description: String {
        let parts = [percent.map { "\($0) %" }, millivolts.map { "\($0) mV" }].compactMap(\.self)
        if isExternal { return "external power" }
        return parts.isEmpty ? "unknown" : parts.joined(separator: ", ")
    }
}
