import ArgumentParser
import BeaconIdentity
import BluetoothTypes
import ByteCoding
import Radio

/// Which beacon is meant: an address, a name, or an iBeacon identity.
enum DeviceSelector: Equatable, ExpressibleByArgument {
    case address(DeviceAddress)
    /// An address whose type was not given: whichever of the two is heard. Stored as random.
    case bareAddress(DeviceAddress)
    case name(String)
    case iBeacon(uuid: [UInt8], major: UInt16, minor: UInt16)

    init?(argument: String) {
        if let name = Self.value(of: argument, after: "name:") {
            self = .name(name)
        } else if let identity = Self.value(of: argument, after: "ibeacon:") {
            guard let selector = Self.iBeacon(identity) else { return nil }
            self = selector
        } else {
            let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
            guard (1...2).contains(parts.count) else { return nil }
            guard parts.count == 2 else {
                guard let address = DeviceAddress(parts[0]) else { return nil }
                self = .bareAddress(address)
                return
            }
            guard let kind = DeviceAddress.Kind(rawValue: String(parts[1])),
                let address = DeviceAddress(parts[0], kind)
            else { return nil }
            self = .address(address)
        }
    }

    private static func value(of argument: String, after prefix: String) -> String? {
        guard argument.hasPrefix(prefix), argument.count > prefix.count else { return nil }
        return String(argument.dropFirst(prefix.count))
    }

    private static func iBeacon(_ identity: String) -> DeviceSelector? {
        let parts = identity.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let uuid = BluetoothUUID(parts[0]), let major = UInt16(parts[1]),
            let minor = UInt16(parts[2])
        else { return nil }
        return .iBeacon(uuid: uuid.bytes, major: major, minor: minor)
    }

    /// Whether `heard` comes from the selected beacon.
    func matches(_ heard: Advertisement) -> Bool {
        switch self {
        case .address(let address): heard.address == address
        case .bareAddress(let address): heard.address.bytes == address.bytes
        case .name(let name): heard.data.name == name
        case .iBeacon(let uuid, let major, let minor):
            // Company 004C, type 02, length 21: UUID, major and minor most significant byte first.
            heard.data.elements.contains { element in
                guard case .manufacturer(0x004C, let data) = element, data.count >= 23,
                    data[0] == 0x02, data[1] == 0x15
                else { return false }
                return Array(data[2..<18]) == uuid
                    && UInt16(data[18]) << 8 | UInt16(data[19]) == major
                    && UInt16(data[20]) << 8 | UInt16(data[21]) == minor
            }
        }
    }

    func matches(_ beacon: BeaconSighting) -> Bool {
        matches(
            Advertisement(
                address: beacon.address, rssi: beacon.rssi, isConnectable: beacon.isConnectable,
                data: beacon.data))
    }

    /// Whether one beacon that matches is the only one that can.
    var isUnique: Bool { if case .address = self { true } else { false } }

    /// The addresses that it can mean; none where it is not an address.
    var addresses: [DeviceAddress] {
        switch self {
        case .address(let address): [address]
        case .bareAddress(let address):
            [address] + (DeviceAddress(address.bytes, .public).map { [$0] } ?? [])
        case .name, .iBeacon: []
        }
    }
}

extension DeviceSelector: CustomStringConvertible {
    var description: String {
        switch self {
        case .address(let address): "\(address)/\(address.kind.rawValue)"
        case .bareAddress(let address): "\(address)"
        case .name(let name): "name:\(name)"
        case .iBeacon(let uuid, let major, let minor):
            "ibeacon:\(HexText.encode(uuid))/\(major)/\(minor)"
        }
    }
}
