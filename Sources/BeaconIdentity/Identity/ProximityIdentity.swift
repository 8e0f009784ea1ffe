public import BluetoothTypes
import ByteCoding

/// An iBeacon's numbers without its UUID.
public struct MajorAndMinor: Hashable, Sendable {
    /// The group.
    public let major: UInt16
    /// Which one of the group.
    public let minor: UInt16
}

/// By what a standard format tells beacons apart, with how loud the beacon is.
public struct ProximityIdentity: Hashable, Sendable {
    /// The identity in the format's own parts.
    public enum Number: Hashable, Sendable {
        case iBeacon(uuid: BluetoothUUID, major: UInt16, minor: UInt16)
        /// Ten bytes and six.
        case eddystone(namespace: [UInt8], instance: [UInt8])
        /// Twenty bytes, of which the first sixteen are often a UUID.
        case altBeacon(company: UInt16, id: [UInt8])
    }

    /// Who it is.
    public let number: Number
    /// In dBm, at a distance of 1 m.
    public let measuredPower: Int8

    /// An identity that is heard with `measuredPower` dBm at 1 m.
    public init(_ number: Number, measuredPower: Int8) {
        self.number = number
        self.measuredPower = measuredPower
    }

    /// Which frame has it.
    public var kind: FrameKind {
        switch number {
        case .iBeacon: .iBeacon
        case .eddystone: .eddystoneUID
        case .altBeacon: .altBeacon
        }
    }
}

extension ProximityIdentity: CustomStringConvertible {
    /// As in `ibeacon:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/6454/1458`, with the parts of other formats in hexadecimal.
    public var description: String {
        switch number {
        case .iBeacon(let uuid, let major, let minor): "ibeacon:\(uuid)/\(major)/\(minor)"
        case .eddystone(let namespace, let instance):
            "eddystone:\(HexText.encode(namespace))/\(HexText.encode(instance))"
        case .altBeacon(_, let id): "altbeacon:\(HexText.encode(id))"
        }
    }
}
