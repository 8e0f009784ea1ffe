/// What can be set in a Feasycom beacon and outlives its updates. Which settings there are is our choice; public sources
/// name none.
///
/// In flash they are text, a line `NAME=value` for each, and erased bytes after that.
struct FBeaconSettings: Hashable, Sendable {
    private var values: [String: String]

    /// What the frames say of it from the factory.
    init(_ description: FBeaconDescription) {
        let period = description.plan.period.components
        values = [
            "NAME": description.advertiser.name,
            "ADVIN": "\(period.seconds * 1000 + period.attoseconds / 1_000_000_000_000_000)",
            "TXPOWER": "0",
        ]
    }

    /// What is called so; nil for nothing.
    subscript(name: String) -> String? { values[name] }

    /// What it is called.
    var name: String { values["NAME"] ?? "" }

    /// How often it sends one of the frames that take turns.
    var period: Duration? { values["ADVIN"].flatMap { Int($0) }.map { .milliseconds($0) } }

    /// Whether `name` may be `value`, which it then is.
    mutating func set(_ name: String, to value: String) -> Bool {
        guard values[name] != nil, Self.allows(name, value) else { return false }
        values[name] = value
        return true
    }

    private static func allows(_ name: String, _ value: String) -> Bool {
        switch name {
        // As much as a scan response has room for.
        case "NAME": (1...29).contains(value.utf8.count) && value.utf8.allSatisfy { 0x20...0x7E ~= $0 }
        case "ADVIN": Int(value).map { 100...10_000 ~= $0 } ?? false
        case "TXPOWER": Int(value).map { -40...20 ~= $0 } ?? false
        default: false
        }
    }

    /// As flash has them.
    var stored: [UInt8] {
        Array(values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)\n" }.joined().utf8)
    }

    /// Takes over what flash has; what is none there stays as it is.
    mutating func read(_ stored: [UInt8]) {
        for line in stored.prefix(while: { $0 != 0xFF }).split(separator: 0x0A) {
            let parts = line.split(separator: 0x3D, maxSplits: 1, omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            if parts.count == 2 { _ = set(parts[0], to: parts[1]) }
        }
    }
}
