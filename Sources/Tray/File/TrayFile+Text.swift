import Bytes
import Firmware

extension TrayFile {
    /// The content of a tray file that reads back equal.
    package var text: String {
        var lines = ["tray: 1"]
        func add(_ key: String, _ text: String?) {
            if let text { lines.append("\(key): \(text)") }
        }
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
        return "{"
            + (["slot: \(label.quoted)", device, id.map { "id: \($0.quoted)" }, firmware?.text]
            + (description?.members ?? [])).membersText
            + "}"
    }
}

extension TrayRule {
    fileprivate var text: String {
        let members = [
            vendor.map { "vendor: \($0.quoted)" }, model.map { "model: \($0.quoted)" },
            name.map { "name: \($0.quoted)" }, rssiAbove.map { "rssi_above: \($0)" },
            expected.map { "expected: \($0)" },
        ]
        return "{" + members.membersText + "}"
    }
}

extension TrayLimits {
    fileprivate var text: String {
        let members = [
            links.map { "links: \($0)" }, attempts.map { "attempts: \($0)" },
            failurePercent.map { "failure_percent: \($0)" }, unitSeconds.map { "unit_s: \($0)" },
            traySeconds.map { "tray_s: \($0)" },
        ]
        return "{" + members.membersText + "}"
    }
}

extension TrayFirmware {
    fileprivate var text: String {
        switch self {
        case .file(let path): "firmware: \(path.quoted)"
        case .catalogue(let folder, let channel):
            "catalogue: {folder: \(folder.quoted), channel: \(channel.rawValue)}"
        }
    }
}

extension UnitDescription {
    fileprivate var members: [String] {
        Self.keys.compactMap { key in texts[key].map { "\(key): \($0.quoted)" } }
    }
}

extension [String?] {
    /// The elements that are not nil, as members of a mapping on one line.
    fileprivate var membersText: String { compactMap(\.self).joined(separator: ", ") }
}

extension String {
    fileprivate var quoted: String { QuotedScalar.text(self) }
}

/// The limits of a tray's run; nil for no limit.
package struct TrayLimits: Hashable, Sendable {
    package let links: Int?
    /// Attempts at a unit before it counts as failed.
    package let attempts: Int?
    /// The percentage of units that may fail; above it, no further unit starts.
    package let failurePercent: Int?
    /// Seconds for a unit, all its attempts together.
    package let unitSeconds: Int?
    /// Seconds for the whole tray; after them, no further unit starts.
    package let traySeconds: Int?

    package init() { (links, attempts, failurePercent, unitSeconds, traySeconds) = (nil, nil, nil, nil, nil) }

    /// Limits; throws for a value that is out of its range.
    package init(
        links: Int?, attempts: Int?, failurePercent: Int?, unitSeconds: Int?, traySeconds: Int?
    ) throws(TrayFileError) {
        try links.check(in: Self.links, of: "links")
        try attempts.check(in: Self.attempts, of: "attempts")
        try failurePercent.check(in: Self.percents, of: "failure_percent")
        try unitSeconds.check(in: Self.seconds, of: "unit_s")
        try traySeconds.check(in: Self.seconds, of: "tray_s")
        if let unitSeconds, let traySeconds, unitSeconds > traySeconds {
            throw TrayFileError(
                "unit_s", "a unit may take \(unitSeconds) s, and its tray only \(traySeconds) s")
        }
        (self.links, self.attempts, self.failurePercent) = (links, attempts, failurePercent)
        (self.unitSeconds, self.traySeconds) = (unitSeconds, traySeconds)
    }

    /// Of the controllers whose limit is known, the largest one's is 20.
    static let links = 1...64
    static let attempts = 1...100
    static let percents = 0...100
    /// Up to a day.
    static let seconds = 1...86_400
}
