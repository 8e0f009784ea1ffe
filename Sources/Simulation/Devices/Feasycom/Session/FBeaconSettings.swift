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
        var known = FBeaconSetting.all(of: description.advertiser)
        if !broadcasts.isEmpty { known["TLM"] = .number(0...1) }
        self.known = known
        let period = description.plan.period.components
        let factory = [
            "NAME": description.advertiser.name,
            "ADVIN": "\(period.seconds * 1000 + period.attoseconds / 1_000_000_000_000_000)",
            "TXPOWER": "0", "BWMODE": "0", "KEYCFG": "0,0", "GSCFG": "0,0", "LED": "500",
            "TLM": description.plan.slots.contains(where: Self.isTelemetry) ? "1" : "0",
        ]
        values = factory.filter { known[$0.key] != nil }
    }

    /// The values of the setting `name`, one for each line of the response; nil if it does not exist.
    subscript(name: String) -> [String]? {
        if name == Self.broadcasts { return broadcasts.isEmpty ? nil : broadcasts.rows }
        return values[name].map { [$0] }
    }

    private static let broadcasts = "BADVDATA"

    var name: String { values["NAME"] ?? "" }

    /// The time between two rotating frames; nil if it does not advertise periodically.
    var period: Duration? { number("ADVIN").flatMap { $0 == 0 ? nil : .milliseconds($0) } }

    var isConnectable: Bool { values["BWMODE"] != "1" }

    /// How often it advertises after a press of its button, and for how long; nil if it does not.
    var afterPress: (period: Duration, length: Duration)? {
        guard let (interval, duration) = values["KEYCFG"].flatMap(FBeaconSetting.interval), interval > 0
        else { return nil }
        return (.milliseconds(interval), .milliseconds(duration))
    }

    var light: Duration { .milliseconds(number("LED") ?? 0) }

    /// The slots of `plan` after applying the broadcasts and `TLM`; never empty, because the identifying frame cannot
    /// be switched off.
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

    private static func isTelemetry(_ slot: AdvertisingPlan.Slot) -> Bool {
        slot.content == .frame(.eddystoneTLM)
    }

    private func number(_ name: String) -> Int? { values[name].flatMap { Int($0) } }

    /// Sets `name` if `value` is valid, and returns whether it was. Settings under which it would never advertise again
    /// are invalid.
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
