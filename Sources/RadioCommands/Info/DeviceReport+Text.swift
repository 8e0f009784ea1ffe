import Bluetooth
import Bytes
import CommandKit
import Firmware
import UpdateModel

extension DeviceReport {
    /// The most bytes of a value in the text; longer values are truncated there, never in `--json`.
    private static let mostBytes = 24

    var lines: [String] {
        var lines = [heading, ""]
        for (label, text) in rows {
            lines.append("  " + label + String(repeating: " ", count: max(1, 14 - label.count)) + text)
        }
        for service in inventory.services { lines += self.lines(of: service) }
        if let omission = inventory.omission { lines += ["", "incomplete: \(omission)"] }
        return lines
    }

    /// The facts, each once: those of a session only if they differ from the attributes.
    private var rows: [(label: String, text: String)] {
        var rows: [(label: String, text: String)] = []
        func add(_ label: String, _ text: String?) {
            if let text, !text.isEmpty { rows.append((label, text)) }
        }
        let updates = updates
        for update in updates {
            add("update", update.name + (update.program.map { ", in the \($0.rawValue)" } ?? ""))
        }
        if let vendorWay {
            add("update", "vendor-only: \(vendorWay)")
        } else if updates.isEmpty {
            add("update", "no update service that this program supports")
        }
        if let packets = sighting.packets, packets.isExtended {
            add("advertising", "extended, PHY \(packets)")
        }
        add("name", name)
        add("appearance", appearance.map { "0x" + HexText.encode([UInt8($0 >> 8), UInt8($0 & 0xFF)]) })
        add("battery", battery.map { "\($0) %" })
        for (member, uuid) in Self.deviceInformation { add(member, inventory.text(0x180A, uuid)) }
        add("system id", systemID.map(HexText.encode))
        add("regulatory", regulatory.map(Self.hex))
        add("pnp id", identity.map(Self.text))
        for row in session?.rows ?? [] {
            guard let index = rows.firstIndex(where: { $0.label == row.label }) else {
                add(row.label, row.text)
                continue
            }
            if !Self.agree(rows[index].text, row.text) { rows[index].text += "; in the session \(row.text)" }
        }
        for (index, gap) in gaps.enumerated() { add(index == 0 ? "not public" : "", gap.what) }
        return rows
    }

    /// Whether two texts say the same, but for case and the letter of a version such as V1.
    private static func agree(_ one: String, _ other: String) -> Bool {
        func core(_ text: String) -> Substring {
            let text = text.lowercased()[...]
            return text.first == "v" && text.dropFirst().first?.isNumber == true ? text.dropFirst() : text
        }
        return core(one) == core(other)
    }

    private var heading: String {
        var parts = ["MTU \(mtu)"]
        if let interval = link.interval {
            parts.append("interval \(Quantities.decimal(interval / .milliseconds(1))) ms")
        }
        if let phy = link.phy { parts.append("\(phy.rawValue) PHY") }
        if let rssi = sighting.rssi { parts.append("\(rssi) dBm") }
        return "\(sighting.address): " + parts.joined(separator: ", ")
    }

    private func lines(of service: DeviceInventory.ServiceEntry) -> [String] {
        var lines = ["", "  " + Self.named(service.declaration.uuid, service.declaration.uuid.serviceName)]
        if let problem = service.problem { lines.append("    not listed: \(problem)") }
        for entry in service.characteristics {
            let uuid = entry.declaration.characteristic.uuid
            let properties = entry.declaration.properties.names.joined(separator: ", ")
            let name = entry.userDescription ?? entry.assignedName
            let title = "    \(Self.named(uuid, name)) (\(properties))"
            guard !isShownAbove(entry) else {
                lines.append(title + ": see above")
                continue
            }
            lines.append(title)
            switch entry.reading {
            case .value(let bytes): lines.append("      \(Self.text(bytes, of: uuid))")
            case .unread(let reason): lines.append("      not read: \(reason)")
            case .unreadable: break
            }
        }
        return lines
    }

    /// Whether a row shows the value of `entry`.
    private func isShownAbove(_ entry: DeviceInventory.CharacteristicEntry) -> Bool {
        let characteristic = entry.declaration.characteristic
        guard case .value(let bytes) = entry.reading, let service = characteristic.service.short,
            let uuid = characteristic.uuid.short, inventory.value(service, uuid) == bytes
        else { return false }
        return switch (service, uuid) {
        case (0x180A, 0x2A23), (0x180A, 0x2A2A): !bytes.isEmpty
        case (0x1800, 0x2A00): name?.isEmpty == false
        case (0x1800, 0x2A01): appearance != nil
        case (0x180F, 0x2A19): battery != nil
        case (0x180A, 0x2A50): identity != nil
        case (0x180A, _):
            Self.deviceInformation.contains { $0.uuid == uuid } && inventory.text(service, uuid) != ""
        default: false
        }
    }

    private static func named(_ uuid: BluetoothUUID, _ name: String?) -> String {
        name.map { "\(uuid) \($0)" } ?? "\(uuid)"
    }

    /// Text characteristics as text, all others in hexadecimal.
    private static func text(_ bytes: [UInt8], of uuid: BluetoothUUID) -> String {
        switch uuid.short {
        case 0x2A00, 0x2A24, 0x2A25, 0x2A26, 0x2A27, 0x2A28, 0x2A29:
            "\"\(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))\""
        default: bytes.isEmpty ? "empty" : hex(bytes)
        }
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        guard bytes.count > mostBytes else { return HexText.encode(bytes) }
        return HexText.encode(bytes.prefix(mostBytes)) + "… (\(bytes.count) bytes)"
    }

    private static func text(_ identity: DeviceIdentity) -> String {
        let source = [1: "Bluetooth", 2: "USB"][identity.source] ?? "unknown source \(identity.source)"
        func word(_ value: UInt16) -> String { HexText.encode([UInt8(value >> 8), UInt8(value & 0xFF)]) }
        return "\(source) vendor \(word(identity.vendor)), product \(word(identity.product)), "
            + "version \(word(identity.version))"
    }
}
