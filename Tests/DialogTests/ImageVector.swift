import Bytes
import Dialog
import Testing
import UpdateModel

/// A sound sample, its expected fields, and the recipe that reproduces it.
struct ImageVector: CustomTestStringConvertible, Sendable {
    let name: String
    let family: HeaderFamily
    var payloadOffset: Int
    let payload: [UInt8]
    var crc: UInt32 = 0xB70B_4C26
    var version = "1.2.3"
    var timestamp: UInt32 = 1_700_000_000
    let trailer: UInt8

    var testDescription: String { name }

    static let ramp = (0..<1024).map { UInt8($0 & 0xFF) }

    static let all = [
        ImageVector(name: "58x", family: .da1458x, payloadOffset: 64, payload: ramp, trailer: 0xAE),
        ImageVector(
            name: "58x-27000", family: .da1458x, payloadOffset: 64,
            payload: (0..<26936).map { UInt8($0 % 251) }, crc: 0xCF1C_A05C, version: "6.0.14.1114",
            timestamp: 1_700_086_400, trailer: 0x9B),
        ImageVector(name: "68x", family: .da1468x, payloadOffset: 36, payload: ramp, trailer: 0x10),
        ImageVector(name: "68x-filled", family: .da1468x, payloadOffset: 64, payload: ramp, trailer: 0x74),
        ImageVector(name: "69x", family: .da1469x, payloadOffset: 1024, payload: ramp, trailer: 0x01),
    ]

    var recipe: ImageRecipe? {
        let header: ImageRecipe.Header =
            switch family {
            case .da1458x: .da1458x()
            case .da1468x: .da1468x(payloadOffset: payloadOffset)
            case .da1469x: .da1469x(payloadOffset: payloadOffset)
            }
        return ImageVersion(version).map {
            ImageRecipe(header, version: $0, timestamp: timestamp, payload: payload)
        }
    }
}

extension SUOTAImage {
    /// The findings besides the note that all unsigned images have.
    var flaws: [Finding] { findings().filter { $0.id != "unauthenticated" } }
}
