import Bluetooth
import Testing

@testable import Simulation

/// The vectors of kbeacon.md, 4.
struct KBeaconVector: Sendable, CustomTestStringConvertible {
    let address: String
    let password: String
    let number: String
    let digest: String
    let folded: String?

    var testDescription: String { "\(address) \(password) \(number)" }

    init(_ address: String, _ password: String?, _ number: String, _ digest: String, _ folded: String?) {
        self.address = address
        self.password = password ?? KBeaconDescription.factoryPassword
        self.number = number
        self.digest = digest
        self.folded = folded
    }

    /// The digest for a beacon at `address`.
    static func digest(_ address: DeviceAddress, _ number: ArraySlice<UInt8>, _ password: String) -> [UInt8] {
        KBeaconDigest.whole(address, number, password)
    }

    static let all = [
        KBeaconVector(
            "DD:34:02:06:5B:5C", nil, "01020304", "46acd14b18a86f822f4d344cb397bff5", "69e1e507ab3fd077"),
        KBeaconVector(
            "DD:34:02:06:5B:5C", nil, "a1a2a3a4", "f68f1a0c0aec3d42cbc89ceea2b4f57f", "3d4786e2a858c83d"),
        KBeaconVector(
            "BC:57:29:02:45:9F", nil, "01020304", "5ae52a03f893c9d8ce1112b12c4f5250", "94f438b2d4dc9b88"),
        KBeaconVector(
            "BC:57:29:02:45:9F", nil, "a1a2a3a4", "d1c9df51692963f358d1964531e324be", "8918491458ca474d"),
        KBeaconVector(
            "BC:57:29:02:45:9F", "Bench-07", "01020304", "762368bb19ebf62067307c42cb680b01", nil),
        KBeaconVector(
            "BC:57:29:02:45:9F", "Bench-07", "a1a2a3a4", "9d9cc8acf3b1fed1f6727963f4685cae", nil),
        KBeaconVector(
            "AA:BB:CC:DD:EE:FF", nil, "12345678", "82fd5b28f21c70b727755b53d9e8113a", "a588007b2bf4618d"),
        KBeaconVector(
            "AA:BB:CC:DD:EE:FF", nil, "deadbeef", "0c36cbccd3addaa76ac69cf5809a1c7c", "66f057395337c6db"),
    ]
}
