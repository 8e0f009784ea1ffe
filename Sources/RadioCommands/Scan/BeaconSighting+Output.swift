import Bluetooth
package import Bytes
package import CommandKit
package import Firmware
import Tray
package import UpdateModel

extension BeaconSighting {
    /// The members of a `beacon` event. Values that a beacon does not advertise are null, never a guess.
    package var members: [String: JSONValue] {
        let identity = identity
        let estimate = rssi.flatMap { identity.distance(rssi: $0) }
        let members: [String: JSONValue] = [
            "address": .text(heard.address.description), "address_type": .text(heard.address.kind.rawValue),
            "name": .optional(heard.data.name), "vendor": .optional(vendor), "kind": .text(kind),
            "model": .optional(identity.model), "model_number": .optional(identity.modelNumber),
            "id": .optional(identity.id), "identity": .optional(identity.numbers.last?.description),
            "identities": .list(identity.numbers.map { .text($0.description) }),
            "major": .optional(identity.majorAndMinor?.major),
            "minor": .optional(identity.majorAndMinor?.minor), "url": .optional(identity.url),
            "tlm_version": .optional(identity.telemetryVersion), "version": .optional(identity.version),
            "hardware_version": .optional(identity.hardwareVersion),
            "external_power": .bool(identity.charge.isExternal), "distance_m": .rounded(estimate?.metres),
            "proximity": .optional(estimate?.proximity.rawValue),
            "frames": .list(identity.frames.map(\.rawValue).sorted().map(JSONValue.text)),
            "missing": .list(missing.map { .text($0.rawValue) }),
            "flags": .list(identity.flags.map(JSONValue.text)),
            "flaws": .list(
                (identity.frameErrors.map { "\($0)" } + identity.contradictions).map(JSONValue.text)),
            "rssi": .optional(rssi), "connectable": .optional(heard.isConnectable),
            "phy": .optional(heard.packets?.primary.rawValue),
            "secondary_phy": .optional(heard.packets?.secondary?.rawValue),
            "extended": .optional(heard.packets?.isExtended),
            "mode": .text(mode.rawValue), "rssi_average": .rounded(heard.strength.average),
            "rssi_max": .optional(heard.strength.maximum), "reports": .integer(heard.reports),
            "advertising_interval_ms": .rounded(heard.advertisingInterval.map { $0 / .milliseconds(1) }),
            "services": .list(heard.data.services.map { .text("\($0)") }),
            "appearance": .optional(heard.data.appearance),
            "tx_power": .optional(heard.data.txPower.map(Int.init) ?? identity.txPower),
            "manufacturer_data": .list(manufacturerData), "service_data": .list(serviceData),
        ]
        return members.merging(identity.charge.members) { $1 }
    }

    /// The members of a `beacon` event, with times as dates.
    package func members(_ wall: WallTime, _ layout: ScanLayout) -> [String: JSONValue] {
        var members = members
        members["first_seen"] = .text(wall.text(heard.firstSeen))
        members["last_seen"] = .text(wall.text(heard.lastSeen))
        if let updates = layout.updates {
            members["update"] = .object(updates.match(self).line.members)
            if updates.hasConnected {
                members["connected"] = .bool(updates.hasConnected(to: self))
                members["read"] = updates.reading(of: self).map { .object($0.members) } ?? .null
            }
        }
        if layout.hasSensors { members["sensors"] = .list(identity.sensors.map(\.json)) }
        return members
    }

    private var manufacturerData: [JSONValue] {
        heard.data.elements.compactMap { element in
            guard case .manufacturer(let company, let bytes) = element else { return nil }
            return .object(["company": .integer(Int(company)), "data": .text(HexText.encode(bytes))])
        }
    }

    private var serviceData: [JSONValue] {
        heard.data.elements.compactMap { element in
            guard case .serviceData(let uuid, let bytes) = element else { return nil }
            return .object(["service": .text("\(uuid)"), "data": .text(HexText.encode(bytes))])
        }
    }
}

extension SensorValue {
    /// As text, such as `temperature 25.2 °C`.
    package var text: String {
        ["\(name) \(value < 0 ? "-" : "")\(Quantities.decimal(abs(value)))", unit].filter { !$0.isEmpty }
            .joined(separator: " ")
    }

    fileprivate var json: JSONValue {
        .object(["name": .text(name), "value": .rounded(value), "unit": .text(unit)])
    }
}

extension BatteryCharge {
    package var members: [String: JSONValue] {
        ["battery": .optional(percent), "battery_mv": .optional(millivolts)]
    }
}

extension BeaconSighting {
    /// Whether its advertisements do not show its kind, and a connection, which may show it, does no harm. Nordic's
    /// buttonless service, for example, is not advertised.
    var hidesItsKind: Bool { kind == Family.unknown.rawValue && ShortReading.isAllowed(of: self) }
}
