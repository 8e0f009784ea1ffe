import ArgumentParser
import Nordic

/// A check at every start, by nrfutil's names.
enum BootCheckName: String, ExpressibleByArgument, CaseIterable {
    case nothing = "NO_VALIDATION"
    case crc = "VALIDATE_GENERATED_CRC"
    case sha256 = "VALIDATE_GENERATED_SHA256"
    case signature = "VALIDATE_ECDSA_P256_SHA256"

    var check: BootCheck {
        switch self {
        case .nothing: .nothing
        case .crc: .crc
        case .sha256: .sha256
        case .signature: .signature
        }
    }
}
