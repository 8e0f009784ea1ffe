package import Bytes
import Firmware
package import UpdateModel

/// A settings file (docs/formats/settings.md).
package struct SettingsFile: Sendable {
    package let vendor: any SettingsVendor
    package let settings: any VendorSettings

    private static let keys = ["settings", "maker"]

    package init(path: String) throws(CommandFailure) {
        let step = "reading the settings"
        let file = try InputFile(path: path)
        guard let bytes = try file.contents(atMost: YAMLValue.limit) else {
            throw CommandFailure(
                .command.settingsInvalid, during: step,
                message: "\(file.path) has more than \(YAMLValue.limit) bytes")
        }
        do throws(YAMLProblem) { try self.init(parsing: bytes) } catch {
            throw CommandFailure(.command.settingsInvalid, during: step, error, in: file.path)
        }
    }

    package init(parsing text: [UInt8]) throws(YAMLProblem) {
        let root = try YAMLValue(parsing: text)
        var values: [String: YAMLValue] = [:]
        for member in try root.members() { values[member.key] = member.value }
        try root.requireVersion("settings", in: values)
        let makers = KnownVendors.withSessions.compactMap { $0 as? any SettingsVendor }.map { ($0.name, $0) }
        vendor = try root.required("maker", in: values).choice(of: Dictionary(makers) { first, _ in first })
        settings = try Self.settings(of: vendor, root)
    }

    private static func settings<Vendor: SettingsVendor>(
        of _: Vendor, _ root: YAMLValue
    ) throws(YAMLProblem) -> any VendorSettings { try Vendor.Settings(root, besides: keys) }

    /// The settings for beacons of `other`; throws if they are for those of another maker.
    package func settings<Vendor: SettingsVendor>(for other: Vendor) throws(CommandFailure) -> Vendor.Settings
    {
        guard let settings = settings as? Vendor.Settings else {
            throw CommandFailure(
                SessionFailure(
                    .session.settingsForOthers, during: "comparing the settings",
                    "the settings are for beacons of \(vendor.name), but this one is of \(other.name)"))
        }
        return settings
    }

    /// The lines of a file with the `settings` of `peer`, a beacon of the maker `maker`.
    package static func lines<Settings: VendorSettings>(
        _ settings: Settings, maker: String, of peer: Settings.Peer?
    ) -> [String] {
        let facts = (peer.map(Settings.facts) ?? []).joined(separator: ", ")
        return (facts.isEmpty ? [] : ["# " + facts]) + ["settings: 1", "maker: \(maker)"] + settings.lines
    }
}

extension DeviceSettings {
    package var object: JSONValue {
        .object(Dictionary(values.map { ("\($0.key)", $0.value.value) }) { first, _ in first })
    }
}

extension SettingValue {
    package var value: JSONValue {
        switch self {
        case .number(let number): integer.map(JSONValue.integer) ?? .number(number)
        case .text(let text): .text(text)
        // The text is known to be JSON.
        case .json(let text): (try? JSONValue(json: Array(text.utf8)))?.portable ?? .text(text)
        }
    }
}

extension JSONValue {
    /// The value with numbers that any reader takes: integers of 64 bits, and doubles. A number that would lose digits
    /// as one of these becomes a text, as written.
    fileprivate var portable: JSONValue {
        switch self {
        case .number(let digits):
            if let whole = Int(digits) { return .integer(whole) }
            if let whole = UInt(digits) { return .integer(whole) }
            return Self.double(digits).map { .number($0) } ?? .text(digits)
        case .list(let values): return .list(values.map(\.portable))
        case .object(let members): return .object(members.mapValues(\.portable))
        case .null, .bool, .text: return self
        }
    }

    /// The number with `digits`, as in JSON; nil if it would lose some of them, overflow, or become 0 by underflow. A
    /// double keeps 15 digits of any number, and 17 of its own.
    private static func double(_ digits: String) -> Double? {
        guard let number = Double(digits), number.isFinite else { return nil }
        let mantissa = digits.prefix { $0 != "e" && $0 != "E" }
        if number == 0 { return mantissa.contains { ("1"..."9").contains($0) } ? nil : number }
        let isKept = number.isNormal && mantissa.filter(\.isNumber).count <= 15
        return isKept || "\(number)" == digits ? number : nil
    }
}

extension SettingsComparison {
    package var members: [String: JSONValue] {
        let compared = rows.map { row in
            JSONValue.object([
                "setting": .text(row.name), "before": row.before.value, "after": row.after?.value ?? .null,
                "kept": .bool(row.isKept), "known": .bool(row.isKnown),
            ])
        }
        let gaps = gaps.map { JSONValue.object(["setting": .text($0.name), "reason": .text($0.reason)]) }
        return [
            "kept": .integer(rows.count - changed.count), "changed": .integer(changed.count),
            "settings": .list(compared), "not_compared": .list(gaps),
        ]
    }
}

extension SettingDifference {
    package var object: JSONValue {
        .object([
            "setting": .text("\(path)"), "found": found?.value ?? .null, "wanted": wanted.value,
            "known": .bool(isKnown),
        ])
    }

    package var row: String {
        "\(path)\(isKnown ? "" : " (unknown key)"): \(found?.description ?? "missing") -> \(wanted)"
    }
}
