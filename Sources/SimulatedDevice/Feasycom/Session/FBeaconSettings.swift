/// What is set in a Feasycom beacon, and outlives its links and updates (fbeacon.md, Settings). That the light's time is
/// 500 ms from the factory, and that neither button nor sensor makes it send anything, is ours.
///
/// In flash they are text, a line `NAME=value` for each, and erased bytes after that.
struct FBeaconSettings: Hashable, Sendable {
    private let known: [String: FBeaconSetting]
    private var values: [String: String]
    private var broadcasts: FBeaconBroadcasts

    /// What the frames say of it from the factory.
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

    /// What is called so, a text for each line of the answer; nil for nothing.
    subscript(name: String) -> [String]? {
        if name == Self.broadcasts { return broadcasts.isEmpty ? nil : broadcasts.rows }
        return values[name].map { [$0] }
    }

    private static let broadcasts = "BADVDATA"

    /// What it is called.
    var name: String { values["NAME"] ?? "" }

    /// How often it sends one of the frames that take turns; nil where it sends nothing by time.
    var period: Duration? { number("ADVIN").flatMap { $0 == 0 ? nil : .milliseconds($0) } }

    /// Whether it takes links.
    var isConnectable: Bool { values["BWMODE"] != "1" }

    /// How often it sends something after its button was pressed, and for how long; nil for nothing.
    var afterPress: (period: Duration, length: Duration)? {
        guard let (interval, duration) = values["KEYCFG"].flatMap(FBeaconSetting.interval), interval > 0
        else { return nil }
        return (.milliseconds(interval), .milliseconds(duration))
    }

    /// How long its light is on.
    var light: Duration { .milliseconds(number("LED") ?? 0) }

    /// The slots of `plan` with what the broadcasts and `TLM` say; never none, because the frame that says what it is cannot be
    /// switched off.
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

    // MARK: Changing

    /// Whether `name` may be `value`, which it then is. With nothing to advertise for it would never be heard again.
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

    // MARK: Flash

    /// As flash has them.
    var stored: [UInt8] {
        let lines =
            values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)\n" }
            + broadcasts.texts.map { "\(Self.broadcasts)=\($0)\n" }
        return Array(lines.joined().utf8)
    }

    /// Takes over what flash has; what is none there stays as it is.
    mutating func read(_ stored: [UInt8]) {
        for line in stored.prefix(while: { $0 != 0xFF }).split(separator: 0x0A) {
            let parts = line.split(separator: 0x3D, maxSplits: 1, omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            if parts.count == 2 { _ = take(parts[0], parts[1]) }
        }
    }
}
