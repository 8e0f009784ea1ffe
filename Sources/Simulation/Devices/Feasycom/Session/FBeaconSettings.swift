/// The settings of a Feasycom beacon, which survive links and updates (fbeacon.md, Settings). Our choices: the LED is
/// on for 500 ms by default, and neither button nor sensor triggers adverts.
///
/// Flash stores them as text, one line `NAME=value` each, followed by erased bytes.
struct FBeaconSettings: Hashable, Sendable {
    private let known: [String: FBeaconSetting]
    private var values: [String: String]
    private var broadcasts: FBeaconBroadcasts

    init(_ description: FBeaconDescription) {
        broadcasts = FBeaconBroadcasts(description)
        let all = FBeaconSetting.all(of: description, hasTelemetry: !broadcasts.isEmpty)
        known = all.mapValues(\.setting)
        values = all.mapValues(\.factory)
    }

    /// The values of the setting `name`, one for each line of the response; nil if it does not exist.
    subscript(name: String) -> [String]? {
        // The lines of broadcasts begin with an empty field.
        if name == Self.broadcasts { return broadcasts.isEmpty ? nil : broadcasts.texts.map { ",\($0)" } }
        return values[name].map { [$0] }
    }

    private static let broadcasts = "BADVDATA"

    var name: String { values["NAME"] ?? "" }

    /// The time between two rotating frames; nil if it does not advertise periodically.
    var period: Duration? { number("ADVIN").flatMap { $0 == 0 ? nil : .milliseconds($0) } }

    var isConnectable: Bool { values["BWMODE"] != "1" }

    /// How often it advertises after a press of its button, and for how long; nil if a press has no effect.
    var afterPress: (period: Duration, length: Duration)? {
        guard let (interval, duration) = values["KEYCFG"].flatMap(FBeaconSetting.interval), interval > 0
        else { return nil }
        return (.milliseconds(interval), .milliseconds(duration))
    }

    var light: Duration { .milliseconds(number("LED") ?? 0) }

    /// The slots of `plan` with the broadcasts and `TLM` applied; never empty: the identifying frame stays.
    func slots(in plan: AdvertisingPlan) -> [AdvertisingPlan.Slot] {
        guard !broadcasts.isEmpty else { return plan.slots }
        var slots = broadcasts.slots(in: plan)
        if values["TLM"] == "0" {
            slots.removeAll(where: Self.isTelemetry)
        } else if !slots.contains(where: Self.isTelemetry) {
            slots.append(AdvertisingPlan.Slot(.frame(.eddystoneTLM)))
        }
        return slots.isEmpty ? [AdvertisingPlan.Slot(.frame(.feasycom))] : slots
    }

    static func isTelemetry(_ slot: AdvertisingPlan.Slot) -> Bool { slot.content == .frame(.eddystoneTLM) }

    private func number(_ name: String) -> Int? { values[name].flatMap { Int($0) } }

    /// Sets `name` if `value` is valid; returns whether it was. A value with which it would never advertise is invalid.
    mutating func set(_ name: String, to value: String) -> Bool {
        var changed = self
        guard changed.take(name, value), changed.isEverHeard else { return false }
        self = changed
        return true
    }

    private var isEverHeard: Bool {
        period != nil || ["KEYCFG", "GSCFG"].contains { values[$0, default: "0,0"] != "0,0" }
    }

    private mutating func take(_ name: String, _ value: String) -> Bool {
        if name == Self.broadcasts { return broadcasts.take(value) }
        guard let kept = known[name]?.kept(value) else { return false }
        values[name] = kept
        return true
    }

    var stored: [UInt8] {
        let lines =
            values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)\n" }
            + broadcasts.texts.map { "\(Self.broadcasts)=\($0)\n" }
        return Array(lines.joined().utf8)
    }

    /// Reads the settings in flash; those that are missing there keep their values.
    mutating func read(_ stored: [UInt8]) {
        for line in stored.prefix(while: { $0 != 0xFF }).split(separator: 0x0A) {
            let parts = line.split(separator: 0x3D, maxSplits: 1, omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            if parts.count == 2 { _ = take(parts[0], parts[1]) }
        }
    }
}

/// The valid values of one setting of a Feasycom beacon (fbeacon.md, Settings, Showing itself).
enum FBeaconSetting: Hashable, Sendable {
    /// ASCII text that fits in a scan response.
    case name
    /// A number in the range, or 0 with `orZero`.
    case number(ClosedRange<Int>, orZero: Bool = false)
    case digit
    /// An interval and a duration in ms, or two zeros for neither.
    case interval

    /// The settings of a described beacon by name, each with its factory value. A missing feature has no setting.
    static func all(
        of description: FBeaconDescription, hasTelemetry: Bool
    ) -> [String: (setting: FBeaconSetting, factory: String)] {
        let advertiser = description.advertiser
        let milliseconds = description.plan.period.nanoseconds / 1_000_000
        let power: FBeaconSetting = advertiser.model == 31 ? .number(-40...20) : .digit
        var settings: [String: (setting: FBeaconSetting, factory: String)] = [
            "NAME": (.name, advertiser.name), "TXPOWER": (power, "0"), "BWMODE": (.number(0...1), "0"),
            "ADVIN": (.number(100...10_000, orZero: true), "\(milliseconds)"),
        ]
        if advertiser.features.contains(.button) { settings["KEYCFG"] = (.interval, "0,0") }
        if advertiser.features.contains(.gSensor) { settings["GSCFG"] = (.interval, "0,0") }
        // No range is known for LED: any value is accepted.
        if advertiser.features.contains(.led) { settings["LED"] = (.number(0...Int(Int32.max)), "500") }
        if hasTelemetry {
            let isOn = description.plan.slots.contains(where: FBeaconSettings.isTelemetry)
            settings["TLM"] = (.number(0...1), isOn ? "1" : "0")
        }
        return settings
    }

    /// `value` as it is stored and reported: numbers lose leading zeros, which is our choice. Nil if it is invalid.
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
