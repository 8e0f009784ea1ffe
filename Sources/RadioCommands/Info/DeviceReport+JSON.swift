import Bluetooth
import Bytes
import CommandKit
import Firmware
import UpdateModel

extension DeviceReport {
    var line: JSONLine {
        JSONLine("info").adding([
            "address": .text(sighting.address.description),
            "address_type": .text(sighting.address.kind.rawValue),
            "advertised_name": .optional(sighting.data.name), "rssi": .optional(sighting.rssi),
            "mtu": .integer(mtu), "interval_ms": .rounded(link.interval.map { $0 / .milliseconds(1) }),
            "phy": .optional(link.phy?.rawValue), "mode": .text(mode.rawValue), "name": .optional(name),
            "appearance": .optional(appearance), "battery": .optional(battery),
            "device_information": .object(deviceInformation), "update_services": .list(updates.map(\.value)),
            "vendor_only": .optional(vendorWay),
            "not_public": .list(gaps.map { .object(["what": .text($0.what), "needed": .text($0.needed)]) }),
            "services": .list(inventory.services.map(\.value)), "incomplete": .optional(inventory.omission),
            "session": session?.value ?? .null,
            "advertising": sighting.packets.map {
                .object([
                    "phy": .text($0.primary.rawValue), "secondary_phy": .optional($0.secondary?.rawValue),
                    "extended": .bool($0.isExtended),
                ])
            } ?? .null,
        ])
    }

    private var deviceInformation: [String: JSONValue] {
        var members: [String: JSONValue] = [
            "system_id": .optional(systemID.map(HexText.encode)),
            "regulatory": .optional(regulatory.map(HexText.encode)), "pnp_id": .null,
        ]
        for (member, uuid) in Self.deviceInformation {
            members[member] = .optional(inventory.text(0x180A, uuid))
        }
        if let identity {
            members["pnp_id"] = .object([
                "source": .integer(identity.source), "vendor": .integer(identity.vendor),
                "product": .integer(identity.product), "version": .integer(identity.version),
            ])
        }
        return members
    }
}

extension OfferedUpdate {
    fileprivate var value: JSONValue {
        .object([
            "kind": .text(kind.rawValue), "name": .text(name), "mode": .optional(program?.rawValue),
            "service": .text("\(service)"),
        ])
    }
}

extension DeviceInventory.ServiceEntry {
    fileprivate var value: JSONValue {
        .object([
            "uuid": .text("\(declaration.uuid)"), "name": .optional(declaration.uuid.serviceName),
            "first_handle": .integer(declaration.handles.lowerBound),
            "last_handle": .integer(declaration.handles.upperBound), "problem": .optional(problem),
            "characteristics": .list(characteristics.map(\.value)),
        ])
    }
}

extension DeviceInventory.CharacteristicEntry {
    fileprivate var value: JSONValue {
        var bytes: [UInt8]?
        var reason: String?
        switch reading {
        case .value(let read): bytes = read
        case .unread(let why): reason = why
        case .unreadable: break
        }
        let uuid = declaration.characteristic.uuid
        return .object([
            "uuid": .text("\(uuid)"), "name": .optional(assignedName),
            "handle": .integer(declaration.valueHandle),
            "properties": .list(declaration.properties.names.map(JSONValue.text)),
            "value": .optional(bytes.map(HexText.encode)), "unread": .optional(reason),
            "user_description": .optional(userDescription),
            "descriptors": .list(descriptors.map { .text("\($0.uuid)") }),
        ])
    }

    /// The characteristic's name according to the Bluetooth SIG or the maker of an update service.
    var assignedName: String? {
        let uuid = declaration.characteristic.uuid
        return uuid.characteristicName ?? KnownVendors.characteristicNames[uuid]
    }
}

extension CharacteristicDeclaration.Properties {
    /// The names of the properties, in the order of their bits.
    package var names: [String] {
        let names = [
            "broadcast", "read", "write-without-response", "write", "notify", "indicate", "signed-write",
            "extended",
        ]
        return names.indices.filter { rawValue >> $0 & 1 == 1 }.map { names[$0] }
    }
}
