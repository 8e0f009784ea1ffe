import Bytes
import Firmware

extension TrayFile {
    /// The content of a tray file, which ``init(parsing:isOrdered:)`` reads back as an equal value.
    package var text: String {
        var lines = ["tray: 1"]
        func add(_ key: String, _ text: String?) { if let text { lines.append("\(key): \(text)") } }
        add("order_number", orderNumber?.quoted)
        add("station", station?.quoted)
        add("operator", operatorName?.quoted)
        if order != .listed { add("order", order.rawValue) }
        if limits != TrayLimits() { add("limits", limits.text) }
        if let firmware { lines.append(firmware.text) }
        lines += description?.members ?? []
        if !settings.isEmpty { lines.append("config: [\(settings.map(\.quoted).joined(separator: ", "))]") }
        switch units {
        case .rule(let rule): add("rule", rule.text)
        case .slots(let slots): lines += ["slots:"] + slots.map { "  - \($0.text)" }
        }
        return lines.map { $0 + "\n" }.joined()
    }
}

extension TraySlot {
    fileprivate var text: String {
        let device = device.map { "device: \("\($0)".quoted)" }
        let own = ["slot: \(label.quoted)", device, id.map { "id: \($0.quoted)" }, firmware?.text]
        return (own + (description?.members ?? [])).mapping
    }
}

extension TrayRule {
    fileprivate var text: String {
        [
            vendor.map { "vendor: \($0.quoted)" }, model.map { "model: \($0.quoted)" },
            name.map { "name: \($0.quoted)" }, rssiAbove.map { "rssi_above: \($0)" },
            expected.map { "expected: \($0)" },
        ].mapping
    }
}

extension TrayLimits {
    fileprivate var text: String {
        Self.all.map { key, limit, _ in self[keyPath: limit].map { "\(key): \($0)" } }.mapping
    }
}

extension TrayFirmware {
    fileprivate var text: String {
        switch self {
        case .file(let path): "firmware: \(path.quoted)"
        case .catalogue(let folder, let channel, let release):
            "catalogue: {folder: \(folder.quoted), channel: \(channel.rawValue)"
                + (release.map { ", release: \($0.quoted)}" } ?? "}")
        }
    }
}

extension UnitDescription {
    fileprivate var members: [String] {
        Self.keys.compactMap { key in texts[key].map { "\(key): \($0.quoted)" } }
    }
}

extension [String?] {
    /// A mapping on one line, of the members that are not nil.
    fileprivate var mapping: String { "{" + compactMap(\.self).joined(separator: ", ") + "}" }
}

extension String { fileprivate var quoted: String { QuotedScalar.text(self) } }

/// The limits of a tray's run; nil for no limit.
package struct TrayLimits: Hashable, Sendable {
    /// Links of each adapter at the same time.
    package private(set) var links: Int?
    /// Attempts at a unit before it counts as failed.
    package private(set) var attempts: Int?
    /// The percentage of units that may fail; above it, no further unit starts.
    package private(set) var failurePercent: Int?
    /// Seconds for a unit, for all its attempts together.
    package private(set) var unitSeconds: Int?
    /// Seconds for the whole tray; after them, no further unit starts.
    package private(set) var traySeconds: Int?

    package init() {}

    typealias Limit = WritableKeyPath<TrayLimits, Int?> & Sendable

    /// All limits with their keys and ranges, in the order of the format's page.
    static let all: [(key: String, limit: any Limit, range: ClosedRange<Int>)] = [
        // 20 is the largest known limit of a controller.
        ("links", \.links, 1...64), ("attempts", \.attempts, 1...100),
        ("failure_percent", \.failurePercent, 0...100),
        // 86,400 s are a day.
        ("unit_s", \.unitSeconds, 1...86_400), ("tray_s", \.traySeconds, 1...86_400),
    ]

    /// Reads the members of a mapping; throws for a value that is out of its range.
    init(_ value: YAMLValue) throws(YAMLProblem) {
        let values = try value.values(of: Self.all.map(\.key))
        for (key, limit, range) in Self.all { self[keyPath: limit] = try values[key]?.number(in: range) }
        try value.checked(check)
    }

    /// These limits with `links` as the limit of links, unless it is nil; throws if it is out of its range.
    package func allowing(links: Int?) throws(TrayFileError) -> TrayLimits {
        var limits = self
        limits.links = links ?? limits.links
        try limits.check()
        return limits
    }

    private func check() throws(TrayFileError) {
        for (key, limit, range) in Self.all { try self[keyPath: limit].check(in: range, of: key) }
        if let unitSeconds, let traySeconds, unitSeconds > traySeconds {
            throw TrayFileError(
                "unit_s", "a unit may take \(unitSeconds) s, and its tray only \(traySeconds) s")
        }
    }
}
