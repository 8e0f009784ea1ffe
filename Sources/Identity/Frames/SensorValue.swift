/// A value that a beacon has measured and advertises.
public struct SensorValue: Hashable, Sendable {
    /// The measured quantity, in kebab case, for example `temperature`.
    public let name: String
    /// The value, in `unit`.
    public let value: Double
    /// The unit's symbol; empty if there is none, or none is published.
    public let unit: String

    /// A measured value.
    public init(_ name: String, _ value: Double, _ unit: String) {
        self.name = name
        self.value = value
        self.unit = unit
    }
}

extension SensorValue: CustomStringConvertible {
    /// For people, for example `temperature 21.5 °C`.
    public var description: String {
        let rounded = (value * 1000).rounded() / 1000
        let number = rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
        return unit.isEmpty ? "\(name) \(number)" : "\(name) \(number) \(unit)"
    }
}
