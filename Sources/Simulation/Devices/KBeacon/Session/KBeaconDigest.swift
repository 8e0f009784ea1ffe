import Bluetooth
import Bytes

/// The digest that proves knowledge of a password without sending it (kbeacon.md, Handshake).
enum KBeaconDigest {
    /// The 16-byte digest for a beacon at `address`, the other side's random `number`, and the password.
    static func whole(_ address: DeviceAddress, _ number: some Sequence<UInt8>, _ password: String) -> [UInt8]
    {
        MD5Digest.digest(address.bytes.reversed() + [0xA9, 0xB1] + Array(number) + Array(password.utf8))
    }

    /// The digest folded to 8 bytes.
    static func folded(_ digest: [UInt8]) -> [UInt8] { zip(digest.prefix(8), digest.dropFirst(8)).map(^) }
}
