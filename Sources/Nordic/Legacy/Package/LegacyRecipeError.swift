/// Why a Legacy package cannot be made.
public enum LegacyRecipeError: Error, Equatable, Sendable {
    /// There is no firmware.
    case nothingToPack
    /// The firmware of this name is empty.
    case emptyImage(String)
    /// Not a portable file name: it has to be ASCII without `/`, `\`, `:` and quotes.
    case unusableName(String)
    /// Two parts would have files of this name.
    case nameTwice(String)
    /// More SoftDevices than the 16-bit count of the packet allows.
    case tooManySoftDevices
    /// Generation 0.8 requires a signature.
    case keyMissing
    /// The generation has no field for a signature.
    case keyUnused(LegacyGeneration)
    /// The signature could not be made.
    case notSigned
    /// The written bytes are not a valid init packet.
    case unreadable(InitPacketError)
}

extension LegacyRecipeError: CustomStringConvertible {
    /// One line for people.
    public var description: String {
        switch self {
        case .nothingToPack: "there is no application, bootloader or SoftDevice to pack"
        case .emptyImage(let name): "\(name) is empty"
        case .unusableName(let name): "\(name) cannot be the name of a file in a package"
        case .nameTwice(let name): "two files would be called \(name).bin; rename one of them"
        case .tooManySoftDevices: "at most 65535 SoftDevices are allowed"
        case .keyMissing: "init packets of 0.8 are signed; give a key"
        case .keyUnused(let generation):
            "init packets of \(generation.rawValue) are not signed; omit the key"
        case .notSigned: "the init packet could not be signed"
        case .unreadable(let error): "the init packet would be refused: \(error)"
        }
    }
}
