import Bluetooth
import Bytes
import UpdateModel

/// The proof of knowing a password (kbeacon.md, Handshake).
struct KBeaconDigest: Equatable, Sendable {
    /// MD5 of address, a fixed word, the other side's challenge and the password.
    let whole: [UInt8]

    /// The response to `question`, a challenge of four bytes, by or to the beacon at `address`.
    init(to question: some Sequence<UInt8>, of address: DeviceAddress, _ password: Secret) {
        whole = MD5Digest.digest(address.bytes.reversed() + [0xA9, 0xB1] + Array(question) + password.bytes)
    }

    /// The XOR of its two halves, for links that carry no more.
    var folded: [UInt8] { zip(whole.prefix(8), whole.dropFirst(8)).map { $0 ^ $1 } }
}
