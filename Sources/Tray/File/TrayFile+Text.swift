import Firmware

extension TrayFile {
    /// The content of a tray file that reads back equal.
    public var text: String {
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
        lines += memory?.members ?? []
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
            + (memory?.members ?? [])).membersText
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

extension TrayMemory {
    fileprivate var members: [String] {
        [pins.map { "pins: \($0.quoted)" }, profile.map { "profile: \($0.quoted)" }].compactMap(\.self)
    }
}

extension [String?] {
    /// The elements that are not nil, as members of a mapping on one line.
    fileprivate var membersText: String { compactMap(\.self).joined(separator: ", ") }
}

extension String {
    /// In double quotes, so that no YAML reader takes `no` or `12:30` for something other than a text.
    fileprivate var quoted: String {
        // By scalars: a quotation mark with a combining mark after it is another character.
        let scalars = unicodeScalars.map { $0 == "\\" || $0 == "\"" ? "\\\($0)" : String($0) }
        return "\"" + scalars.joined() + "\""
    }
}
