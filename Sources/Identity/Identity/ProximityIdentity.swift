public import Bluetooth
import Bytes

/// An iBeacon's numbers without its UUID.
public struct MajorAndMinor: Hashable, Sendable {
    /// The group.
    public let major: UInt16
    /// The beacon in the group.
    public let minor: UInt16
}

/// The identity of a beacon in a standard format, with its signal strength.
public struct ProximityIdentity: Hashable, Sendable {
    /// The identity in the parts of the format.
    public enum Number: Hashable, Sendable {
        case iBeacon(uuid: BluetoothUUID, major: UInt16, minor: UInt16)
        /// Ten bytes and six.
        case eddystone(namespace: [UInt8], instance: [UInt8])
        /// Twenty bytes, of which the first sixteen are often a UUID.
        case altBeacon(company: UInt16, id: [UInt8])
    }

    /// The identity.
    public let number: Number
    /// In dBm, at a distance of 1 m.
    public let measuredPower: Int8

    /// An identity with `measuredPower` dBm at 1 m.
    public init(_ number: Number, measuredPower: Int8) {
        self.number = number
        self.measuredPower = measuredPower
    }

    /// The kind of frame that contains it.
    public var kind: FrameKind {
        switch number {
        case .iBeacon: .iBeacon
        case .eddystone: .eddystoneUID
        case .altBeacon: .altBeacon
        }
    }
}

extension ProximityIdentity: CustomStringConvertible {
    /// For example `ibeacon:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/6454/1458`; parts of other formats are hexadecimal.
    public var description: String {
        switch number {
        case .iBeacon(let uuid, let major, let minor): "ibeacon:\(uuid)/\(major)/\(minor)"
        case .eddystone(let namespace, let instance):
            "eddystone:\(HexText.encode(namespace))/\(HexText.encode(instance))"
        case .altBeacon(_, let id): "altbeacon:\(HexText.encode(id))"
        }
    }
}
