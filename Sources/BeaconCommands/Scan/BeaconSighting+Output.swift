import BeaconIdentity
import BluetoothTypes
import ByteCoding
import FirmwareModel
import Radio

extension BeaconSighting {
    /// The members of a `beacon` event. What a beacon does not say is null, never a guess.
    var members: [String: JSONValue] {
        let members: [String: JSONValue] = [
            "address": .text(heard.address.description), "address_type": .text(heard.address.kind.rawValue),
            "name": .optional(heard.data.name), "vendor": .optional(vendor), "model": .null,
            "identity": .null, "version": .optional(version),
            "rssi": rssi.map { .integer(Int($0)) } ?? .null,
            "connectable": heard.isConnectable.map(JSONValue.bool) ?? .null,
            "mode": .text(mode.rawValue),
            "rssi_average": heard.strength.average.map(JSONValue.rounded) ?? .null,
            "rssi_max": heard.strength.maximum.map { .integer(Int($0)) } ?? .null,
            "reports": .integer(heard.reports),
            "advertising_interval_ms": heard.advertisingInterval.map { .rounded($0 / .milliseconds(1)) }
                ?? .null,
            "services": .list(heard.data.services.map { .text("\($0)") }),
            "appearance": heard.data.appearance.map { .integer(Int($0)) } ?? .null,
            "tx_power": heard.data.txPower.map { .integer(Int($0)) } ?? .null,
            "manufacturer_data": .list(manufacturerData), "service_data": .list(serviceData),
        ]
        return members.merging(charge.batteryMembers) { $1 }
    }

    /// The members of a `beacon` event, with the moments as dates.
    func members(_ wall: WallTime) -> [String: JSONValue] {
        members.merging([
            "first_seen": .text(wall.text(heard.firstSeen)), "last_seen": .text(wall.text(heard.lastSeen)),
        ]) { $1 }
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

extension BatteryCharge {
    /// The members of any event that has a battery.
    var batteryMembers: [String: JSONValue] {
        [
            "battery": percent.map(JSONValue.integer) ?? .null,
            "battery_mv": millivolts.map(JSONValue.integer) ?? .null,
        ]
    }
}
