public import UpdateModel

/// Settings of a Feasycom beacon, some or all (fbeacon.md, Settings).
public struct FBeaconSettings: Sendable {
    /// A setting.
    public enum Key: Hashable, Sendable {
        case name
        case interval
        case power
        case button
        case motion
        case mode
        case telemetry
        /// One of the broadcasts, by its number from 0.
        case broadcast(Int)
    }

    /// The values.
    public internal(set) var values: [Key: SettingValue]

    /// The position of each value in its file.
    var places: [Key: String] = [:]

    init(_ values: [Key: SettingValue] = [:]) { self.values = values }

    /// The allowed values of `key`, if its value is another one.
    public func rangeMissed(at key: Key) -> String? {
        guard let value = values[key] else { return nil }
        return key.value("\(value)") == value ? nil : key.range
    }
}

extension FBeaconSettings: Equatable {
    /// Whether both have the same values, regardless of their positions.
    public static func == (one: FBeaconSettings, other: FBeaconSettings) -> Bool {
        one.values == other.values
    }
}

extension FBeaconSettings.Key: CaseIterable, CustomStringConvertible {
    /// Settings with a command of their own.
    static let single: [FBeaconSettings.Key] = [
        .name, .interval, .power, .button, .motion, .mode, .telemetry,
    ]

    /// All settings, in the order of the format.
    public static let allCases = single + FBeaconBroadcasts.numbers.map(FBeaconSettings.Key.broadcast)

    /// The name of its command; for a broadcast with its number in brackets.
    public var description: String {
        if case .broadcast(let number) = self { "\(command)[\(number)]" } else { command }
    }

    /// The name of its command.
    var command: String {
        switch self {
        case .name: "NAME"
        case .interval: "ADVIN"
        case .power: "TXPOWER"
        case .button: "KEYCFG"
        case .motion: "GSCFG"
        case .mode: "BWMODE"
        case .telemetry: "TLM"
        case .broadcast: FBeaconBroadcasts.command
        }
    }
}

extension FBeaconSettings.Key {
    /// The possible beginnings of an answer.
    var answers: [String] { self == .name ? ["+NAME=", "+LENAME="] : ["+\(command)="] }

    /// The argument of the command that sets `value`.
    func argument(_ value: SettingValue) -> String {
        if case .broadcast(let number) = self { "\(number),\(value)" } else { "\(value)" }
    }

    /// The value of `text`, which a beacon reported; plain text if such a value cannot be set.
    func told(_ text: String) -> SettingValue { value(text) ?? .text(text) }

    /// The value of `text`; nil if the setting does not allow it.
    func value(_ text: String) -> SettingValue? {
        switch self {
        case .name:
            let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
            return isPlain && (1...29).contains(text.utf8.count) ? .text(text) : nil
        case .interval:
            return Self.whole(text).flatMap { $0 == 0 || Self.intervals ~= $0 ? .number($0) : nil }
        case .power:
            if let number = Self.whole(text) { return -40...20 ~= number ? .number(number) : nil }
            let level = text.uppercased()
            return level.utf8.count == 1 && "ABCDEF".contains(level) ? .text(level) : nil
        case .button, .motion:
            let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(Self.whole)
            guard parts.count == 2, let interval = parts[0], let duration = parts[1] else { return nil }
            let isOff = interval == 0 && duration == 0
            guard isOff || Self.intervals ~= interval && 100...65535 ~= duration else { return nil }
            return .text("\(Int(interval)),\(Int(duration))")
        case .mode, .telemetry: return Self.whole(text).flatMap { 0...1 ~= $0 ? .number($0) : nil }
        case .broadcast: return FBeaconBroadcasts.value(text).map { .text($0) }
        }
    }

    /// The allowed values, in words.
    var range: String {
        switch self {
        case .name: "1 to 29 characters of ASCII"
        case .interval: "0, or a whole number of milliseconds from 100 to 10000"
        case .power: "a whole number from -40 to 20, or a hexadecimal digit"
        case .button, .motion:
            "an interval from 100 to 10000 and a duration from 100 to 65535, in milliseconds, as in 500,3000; or 0,0"
        case .mode, .telemetry: "0 or 1"
        case .broadcast:
            "a packet of 1 to 31 bytes in hexadecimal, made of whole AD structures, followed by ,1 or ,0; or 00,0"
        }
    }

    /// Whether this value disables the setting's function.
    func isOff(_ value: SettingValue?) -> Bool {
        switch self {
        case .interval: value == .number(0)
        case .button, .motion: value == nil || value == .text("0,0")
        case .telemetry: value == .number(0)
        case .broadcast: value.map { "\($0)".hasSuffix(",0") } ?? false
        case .name, .power, .mode: false
        }
    }

    private static let intervals = 100.0...10_000.0

    private static func whole(_ text: some StringProtocol) -> Double? {
        Int(text).flatMap { abs($0) <= 65535 ? Double($0) : nil }
    }
}
