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
