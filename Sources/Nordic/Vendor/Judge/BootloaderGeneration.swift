import Bytes

/// Generations of Nordic's Secure bootloader with different checks (init-packet.md, Checks).
enum BootloaderGeneration: Int, CaseIterable, Comparable, Sendable {
    case sdk12 = 120
    case sdk14 = 140
    case sdk15 = 150
    case sdk15u3 = 153
    case sdk16 = 160
    case sdk17 = 170

    /// The generation for an SDK number such as `15.3` or `17.1.0`; SDK 13 checks like 14.
    init?(text: String) {
        let parts = text.split(separator: ".").map { Int($0) }
        guard let major = parts.first ?? nil, !parts.contains(nil) else { return nil }
        let minor = parts.count > 1 ? parts[1] ?? 0 : 0
        switch major {
        case 12: self = .sdk12
        case 13, 14: self = .sdk14
        case 15: self = minor < 3 ? .sdk15 : .sdk15u3
        case 16: self = .sdk16
        case 17: self = .sdk17
        default: return nil
        }
    }

    static let names = ["12.3", "13.1", "14.2", "15.0", "15.3", "16.0", "17.1"]

    /// Older generations come first.
    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The longest init packet, in bytes.
    var packetLimit: Int { self < .sdk15u3 ? 256 : 512 }
    /// The longest signed part, in bytes: older ones handle only one length byte.
    var signedLimit: Int { self < .sdk15u3 ? 127 : .max }
    /// The maximum number of entries in the SoftDevice list.
    var softDeviceLimit: Int { self == .sdk12 ? 4 : 16 }
    /// Whether versions are checked before the signature.
    var checksVersionsFirst: Bool { self < .sdk15 }

    /// The response with its extended code, or what this generation sends instead.
    func extended(_ code: UInt8) -> String {
        self == .sdk12 ? "0A" : "0B \(HexText.digits(code, uppercase: true))"
    }
}
