import Bytes

extension PackageError {
    /// A stable name in kebab-case for scripts and for `explain`.
    public var code: String {
        switch self {
        case .archive(let error): error.code
        case .noManifest: "manifest-missing"
        case .manifestNotJSON: "manifest-not-json"
        case .manifestEncoding: "manifest-encoding"
        case .manifestKeyRepeated: "manifest-key-repeated"
        case .manifestField: "manifest-field-invalid"
        case .manifestWithoutParts: "manifest-without-parts"
        case .conflictingParts: "parts-conflict"
        case .mcuboot: "mcuboot-package"
        case .legacy: "legacy-package"
        case .missingEntry: "entry-missing"
        case .emptyEntry: "entry-empty"
        case .initPacket, .imageAsInitPacket: "init-packet-malformed"
        case .hex: "hex-invalid"
        }
    }
}
