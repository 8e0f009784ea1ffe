import BluetoothTypes
import Digests
import Sessions

/// What proves that somebody knows a password (kbeacon.md, Handshake).
struct KBeaconDigest: Equatable, Sendable {
    /// MD5 of address, a fixed word, the other side's question and the password.
    let whole: [UInt8]

    /// The answer to `question`, four bytes, of the beacon at `address` or to it.
    init(to question: some Sequence<UInt8>, of address: DeviceAddress, _ password: Secret) {
        whole = MD5Digest.digest(address.bytes.reversed() + [0xA9, 0xB1] + Array(question) + password.bytes)
    }

    /// Its two halves, one over the other, for links that carry no more.
    var folded: [UInt8] { zip(whole.prefix(8), whole.dropFirst(8)).map { $0 ^ $1 } }
}
