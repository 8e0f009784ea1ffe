import BeaconIdentity
import BluetoothTypes
import ByteCoding

extension Sighting {
    /// The members of a `beacon` event. What a beacon does not say is null, never a guess.
    var members: [String: JSONValue] {
        let state = state
        let members: [String: JSONValue] = [
            "address": .text(address.description), "address_type": .text(address.kind.rawValue),
            "name": .optional(data.name), "vendor": .optional(vendor), "model": .null,
            "identity": .null, "version": .optional(state.version),
            "rssi": rssi.map { .integer(Int($0)) } ?? .null,
            "connectable": isConnectable.map(JSONValue.bool) ?? .null,
            "mode": .text(mode.rawValue),
            "rssi_average": strength.average.map(JSONValue.rounded) ?? .null,
            "rssi_max": strength.maximum.map { .integer(Int($0)) } ?? .null, "reports": .integer(reports),
            "advertising_interval_ms": advertisingInterval.map { .rounded($0 / .milliseconds(1)) } ?? .null,
            "services": .list(data.services.map { .text("\($0)") }),
            "appearance": data.appearance.map { .integer(Int($0)) } ?? .null,
            "tx_power": data.txPower.map { .integer(Int($0)) } ?? .null,
            "manufacturer_data": .list(manufacturerData), "service_data": .list(serviceData),
        ]
        return members.merging(state.batteryMembers) { $1 }
    }

    /// The same, with the moments as dates.
    func members(_ wall: WallTime) -> [String: JSONValue] {
        members.merging([
            "first_seen": .text(wall.text(firstSeen)), "last_seen": .text(wall.text(lastSeen)),
        ]) { $1 }
    }

    private var manufacturerData: [JSONValue] {
        data.elements.compactMap { element in
            guard case .manufacturer(let company, let bytes) = element else { return nil }
            return .object(["company": .integer(Int(company)), "data": .text(HexText.encode(bytes))])
        }
    }

    private var serviceData: [JSONValue] {
        data.elements.compactMap { element in
            guard case .serviceData(let uuid, let bytes) = element else { return nil }
            return .object(["service": .text("\(uuid)"), "data": .text(HexText.encode(bytes))])
        }
    }
}

extension AdvertisedState {
    /// The members of any event that tells of a battery.
    var batteryMembers: [String: JSONValue] {
        [
            "battery": charge.percent.map(JSONValue.integer) ?? .null,
            "battery_mv": charge.millivolts.map(JSONValue.integer) ?? .null,
        ]
    }
}
