/// What one setting of a Feasycom beacon may be (fbeacon.md, Settings, Showing itself).
enum FBeaconSetting: Hashable, Sendable {
    /// As much ASCII as a scan response has room for.
    case name
    /// A number, or 0 where that means something.
    case number(ClosedRange<Int>, orZero: Bool = false)
    /// One hexadecimal digit.
    case digit
    /// An interval and a duration in ms, or twice 0 for neither.
    case interval

    /// Those of such a beacon, by their names. What has no part in it is none of its settings.
    static func all(of advertiser: FeasycomAdvertiser) -> [String: FBeaconSetting] {
        var settings: [String: FBeaconSetting] = [
            "NAME": .name, "ADVIN": .number(100...10_000, orZero: true), "BWMODE": .number(0...1),
            "TXPOWER": advertiser.model == 31 ? .number(-40...20) : .digit,
        ]
        if advertiser.features.contains(.button) { settings["KEYCFG"] = .interval }
        if advertiser.features.contains(.gSensor) { settings["GSCFG"] = .interval }
        // No range of it is known: whatever fits.
        if advertiser.features.contains(.led) { settings["LED"] = .number(0...Int(Int32.max)) }
        return settings
    }

    /// `value` as the beacon keeps it, and answers with it: a number without zeros before it, which is ours. Nil for
    /// what it may not be.
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

    /// Both numbers of such a value.
    static func interval(_ value: String) -> (interval: Int, duration: Int)? {
        let parts = value.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let interval = parts[0], let duration = parts[1] else { return nil }
        return (interval, duration)
    }
}
