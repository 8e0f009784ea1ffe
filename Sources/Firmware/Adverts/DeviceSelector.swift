package import Bluetooth
package import Bytes
package import UpdateModel

/// Selects a beacon by address, name, the vendor's id, or an iBeacon identity.
package enum DeviceSelector: Hashable, Sendable {
    case address(DeviceAddress)
    /// An address without a type, which matches the random and the public address. It is stored as random.
    case bareAddress(DeviceAddress)
    /// A name pattern, with `*` and `?`.
    case name(Glob)
    /// The vendor's id, as its frames report it.
    case id(String)
    case iBeacon(ProximityIdentity.Number)

    /// Parses `F0:0D:BE:AC:01:00`, optionally with `/public` or `/random`, `name:PATTERN`, `id:TEXT`, or
    /// `ibeacon:UUID/MAJOR/MINOR`; nil for other texts.
    package init?(_ text: String) {
        if let name = Self.value(of: text, after: "name:") {
            self = .name(Glob(name))
        } else if let id = Self.value(of: text, after: "id:") {
            self = .id(id)
        } else if let identity = Self.value(of: text, after: "ibeacon:") {
            guard let selector = Self.iBeacon(identity) else { return nil }
            self = selector
        } else {
            let addresses = DeviceAddress.named(by: text)
            guard let address = addresses.first else { return nil }
            self = addresses.count == 1 ? .address(address) : .bareAddress(address)
        }
    }

    private static func value(of text: String, after prefix: String) -> String? {
        guard text.hasPrefix(prefix), text.count > prefix.count else { return nil }
        return String(text.dropFirst(prefix.count))
    }

    private static func iBeacon(_ identity: String) -> DeviceSelector? {
        let parts = identity.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let uuid = BluetoothUUID(parts[0]), let major = UInt16(parts[1]),
            let minor = UInt16(parts[2])
        else { return nil }
        return .iBeacon(.iBeacon(uuid: uuid, major: major, minor: minor))
    }

    /// Whether a report from `address` can come from the selected beacon, judging by the address alone.
    package func names(_ address: DeviceAddress) -> Bool { addresses.contains(address) }

    package func matches(_ beacon: BeaconSighting) -> Bool {
        switch self {
        case .address, .bareAddress: names(beacon.address)
        case .name(let pattern): beacon.data.name.map(pattern.matches) ?? false
        case .id(let id): beacon.identity.id?.lowercased() == id.lowercased()
        case .iBeacon(let wanted): beacon.identity.numbers.contains { $0.number == wanted }
        }
    }

    /// Whether at most one beacon can match.
    package var isUnique: Bool { if case .address = self { true } else { false } }

    /// The addresses that it can match; empty if it is not an address.
    package var addresses: [DeviceAddress] {
        switch self {
        case .address(let address): [address]
        case .bareAddress(let address):
            [address] + (DeviceAddress(address.bytes, .public).map { [$0] } ?? [])
        case .name, .id, .iBeacon: []
        }
    }

    /// The likelier address of a beacon that was not heard; nil if the selector is not an address. An address without a
    /// type counts as random if its two highest bits are 1, as in every static random address (Vol 6, Part B, 1.3.2.1).
    package var likelyAddress: DeviceAddress? {
        let isStatic = (addresses.first?.bytes.first ?? 0) >= 0xC0
        return isStatic ? addresses.first : addresses.last
    }
}

extension DeviceSelector: CustomStringConvertible {
    /// The text form, which can be parsed again.
    package var description: String {
        switch self {
        case .address(let address): "\(address)/\(address.kind.rawValue)"
        case .bareAddress(let address): "\(address)"
        case .name(let name): "name:\(name.pattern)"
        case .id(let id): "id:\(id)"
        case .iBeacon(let number): "\(ProximityIdentity(number, measuredPower: 0))"
        }
    }
}

extension DeviceSelector {
    /// Why `text` is not a selector, and the correct form.
    package static func flaw(in text: String) -> String {
        let kinds = ["name:", "id:", "ibeacon:"]
        let prefix = text.firstIndex(of: ":").map { String(text[...$0]) } ?? ""
        if prefix == "ibeacon:" {
            return
                "an iBeacon is selected by ibeacon:UUID/MAJOR/MINOR, with a UUID of 32 digits and two numbers from 0 to "
                + "65535"
        }
        if prefix == "name:" || prefix == "id:" {
            return "the \(prefix.dropLast()) is missing after '\(prefix)'"
        }
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        if let address = address(in: parts[0]) {
            return "\(address)" == parts[0]
                ? "an address may only be followed by /public or /random"
                : "write the address as \(address)"
        }
        if let kind = Spelling.nearest(to: prefix, in: kinds) { return "did you mean '\(kind)'?" }
        return
            "select a beacon by its address, such as F0:0D:BE:AC:01:00, by its name, such as 'name:\(text)', by id: "
            + "and the vendor's id, or by ibeacon:UUID/MAJOR/MINOR"
    }

    /// The address with the twelve hexadecimal digits of `text`; nil if `text` has other characters than separators.
    private static func address(in text: String) -> DeviceAddress? {
        let digits = text.filter { !":-._ ".contains($0) }
        guard digits.count == 12, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
        let pairs = stride(from: 0, to: 12, by: 2).map { digits.dropFirst($0).prefix(2).uppercased() }
        return DeviceAddress(pairs.joined(separator: ":"))
    }
}
