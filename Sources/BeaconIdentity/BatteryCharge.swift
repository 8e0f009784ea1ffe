/// What a beacon says of its battery; what it does not say is nil. Beacons have a percentage or a voltage, and some
/// have both.
public struct BatteryCharge: Hashable, Sendable {
    /// 0 to 100.
    public var percent: Int?
    /// Its voltage in millivolts.
    public var millivolts: Int?
    /// Whether the beacon says that it runs on external power.
    public var isExternal = false

    /// A charge of which nothing is known, or what is given.
    public init(percent: Int? = nil, millivolts: Int? = nil, isExternal: Bool = false) {
        self.percent = percent
        self.millivolts = millivolts
        self.isExternal = isExternal
    }

    /// A percentage as a byte has it; more than 100 says nothing.
    init(percentByte: UInt8) { percent = percentByte <= 100 ? Int(percentByte) : nil }

    /// A voltage as a number has it; 0 says nothing.
    init(voltage: some BinaryInteger) { millivolts = voltage > 0 ? Int(voltage) : nil }

    /// This, or what `later` says about the same.
    mutating func update(with later: BatteryCharge) {
        percent = later.percent ?? percent
        millivolts = later.millivolts ?? millivolts
        isExternal = isExternal || later.isExternal
    }
}

extension BatteryCharge: CustomStringConvertible {
    /// As people read it.
    public var description: String {
        let parts = [percent.map { "\($0) %" }, millivolts.map { "\($0) mV" }].compactMap(\.self)
        if isExternal { return "external power" }
        return parts.isEmpty ? "unknown" : parts.joined(separator: ", ")
    }
}
