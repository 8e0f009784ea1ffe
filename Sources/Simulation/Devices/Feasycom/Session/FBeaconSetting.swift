/// The valid values of one setting of a Feasycom beacon (fbeacon.md, Settings, Showing itself).
enum FBeaconSetting: Hashable, Sendable {
    /// ASCII text that fits in a scan response.
    case name
    /// A number, or 0 where that has a meaning.
    case number(ClosedRange<Int>, orZero: Bool = false)
    case digit
    /// An interval and a duration in ms, or two zeros for neither.
    case interval

    /// The settings of such a beacon, by name. A feature that it lacks has no setting.
    static func all(of advertiser: FeasycomAdvertiser) -> [String: FBeaconSetting] {
        var settings: [String: FBeaconSetting] = [
            "NAME": .name, "ADVIN": .number(100...10_000, orZero: true), "BWMODE": .number(0...1),
            "TXPOWER": advertiser.model == 31 ? .number(-40...20) : .digit,
        ]
        if advertiser.features.contains(.button) { settings["KEYCFG"] = .interval }
        if advertiser.features.contains(.gSensor) { settings["GSCFG"] = .interval }
        // No range is known: any value is accepted.
        if advertiser.features.contains(.led) { settings["LED"] = .number(0...Int(Int32.max)) }
        return settings
    }

    /// `value` as the beacon stores and reports it: numbers lose leading zeros, which is our choice. Nil if it is
    /// invalid.
    func kept(_ value: String) -> String? {
        switch self {
        case .name:
            let isText = value.utf8.allSatisfy { 0x20...0x7E ~= $0 }
            return (1...29).contains(value.utf8.count) && isText ? value : nil
        case .number(let range, let orZero):
            guard let number = Int(value), range ~= number || orZero && number == 0 else { return nil }
            return "\(number)"
        case .digit:
            guard value.utf8.count == 1, let level = Int(value, radix: 16) else { return nil }
            return String(level, radix: 16, uppercase: true)
        case .interval:
            guard let (interval, duration) = Self.interval(value) else { return nil }
            let isAllowed = 100...10_000 ~= interval && 100...65_535 ~= duration
            return isAllowed || (interval, duration) == (0, 0) ? "\(interval),\(duration)" : nil
        }
    }

    static func interval(_ value: String) -> (interval: Int, duration: Int)? {
        let parts = value.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let interval = parts[0], let duration = parts[1] else { return nil }
        return (interval, duration)
    }
}

struct FBeaconSession: Hashable, Sendable {
    var isOpen = false
    var restarts = false
    var isTrusted: Bool
    private var line: [UInt8] = []

    /// The maximum length of a command in bytes; our choice.
    private static let longest = 128

    init(_ access: FBeaconAccess) { isTrusted = access.pin == nil }

    /// The complete commands, without CR and LF, and whether an unfinished one exceeds the maximum length.
    mutating func commands(in bytes: [UInt8]) -> (lines: [[UInt8]], isEndless: Bool) {
        line += bytes
        var lines: [[UInt8]] = []
        while let end = line.indices.first(where: { line[$0...].starts(with: [0x0D, 0x0A]) }) {
            lines.append(Array(line[..<end]))
            line.removeFirst(end + 2)
        }
        guard line.count > Self.longest else { return (lines, false) }
        line = []
        return (lines, true)
    }
}

/// The access control of a Feasycom beacon (fbeacon.md, PIN).
package struct FBeaconAccess: Hashable, Sendable {
    /// The PIN that must be sent before anything else: four zeros on older units, six digits on newer ones; nil if none
    /// is needed.
    package var pin: String?
    package var endsLinkAfterWrongPIN = false
    package var isBusy = false

    package init() {}
}
