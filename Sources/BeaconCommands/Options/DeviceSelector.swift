import ArgumentParser
import BeaconIdentity
import BluetoothTypes
import ByteCoding
import Radio
import Spelling

/// Which beacon is meant: an address, a name, the vendor's id, or an iBeacon identity.
enum DeviceSelector: Equatable, ExpressibleByArgument {
    case address(DeviceAddress)
    /// An address whose type was not given: whichever of the two is heard. Stored as random.
    case bareAddress(DeviceAddress)
    /// A name, with `*` and `?` for what may be anything.
    case name(Glob)
    /// The id that its vendor gave it, as its frames say it.
    case id(String)
    /// An identity that is an iBeacon's.
    case iBeacon(ProximityIdentity.Number)

    init?(argument: String) {
        if let name = Self.value(of: argument, after: "name:") {
            self = .name(Glob(name))
        } else if let id = Self.value(of: argument, after: "id:") {
            self = .id(id)
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
        return .iBeacon(.iBeacon(uuid: uuid, major: major, minor: minor))
    }

    /// Whether a report from `address` can come from the selected beacon, by the address alone.
    func means(_ address: DeviceAddress) -> Bool { addresses.contains(address) }

    /// Whether `beacon` is the selected one.
    func matches(_ beacon: BeaconSighting) -> Bool {
        switch self {
        case .address, .bareAddress: means(beacon.address)
        case .name(let pattern): beacon.data.name.map(pattern.matches) ?? false
        case .id(let id): beacon.identity.id?.lowercased() == id.lowercased()
        case .iBeacon(let wanted): beacon.identity.numbers.contains { $0.number == wanted }
        }
    }

    /// The trigger for which `beacon` advertises another iBeacon identity than the selected one; nil where it is not it.
    func trigger(of beacon: BeaconSighting) -> IBeaconTrigger? {
        // Anybody may have configured two beacons with UUIDs in a row.
        guard case .iBeacon(let wanted) = self, beacon.identity.maker == .kkm else { return nil }
        return beacon.identity.numbers.compactMap { IBeaconTrigger(of: wanted, seenAs: $0.number) }.first
    }

    /// Whether one beacon that matches is the only one that can.
    var isUnique: Bool { if case .address = self { true } else { false } }

    /// The addresses that it can mean; none where it is not an address.
    var addresses: [DeviceAddress] {
        switch self {
        case .address(let address): [address]
        case .bareAddress(let address):
            [address] + (DeviceAddress(address.bytes, .public).map { [$0] } ?? [])
        case .name, .id, .iBeacon: []
        }
    }
}

extension DeviceSelector: CustomStringConvertible {
    var description: String {
        switch self {
        case .address(let address): "\(address)/\(address.kind.rawValue)"
        case .bareAddress(let address): "\(address)"
        case .name(let name): "name:\(name.pattern)"
        case .id(let id): "id:\(id)"
        case .iBeacon(let number): "\(ProximityIdentity(number, measuredPower: 0))"
        }
    }
}
