/// Why a Legacy package cannot be made.
public enum LegacyRecipeError: Error, Equatable, Sendable {
    /// There is no firmware.
    case nothingToPack
    /// The firmware of this name has no bytes.
    case emptyImage(String)
    /// The name cannot be that of a file in every package's reader: ASCII without `/`, `\`, `:` and quotes.
    case unusableName(String)
    /// Two parts would have files of this name.
    case nameTwice(String)
    /// More SoftDevices than the packet can count.
    case tooManySoftDevices
    /// Generation 0.8 is signed.
    case keyMissing
    /// The generation has no room for a signature.
    case keyUnused(LegacyGeneration)
    /// The signature could not be made.
    case notSigned
    /// What was written is not an init packet.
    case unreadable(InitPacketError)
}

extension LegacyRecipeError: CustomStringConvertible {
    /// One line for people.
    public var description: String {
        switch self {
        case .nothingToPack: "there is no application, bootloader or SoftDevice to pack"
        case .emptyImage(let name): "\(name) has no bytes"
        case .unusableName(let name): "\(name) cannot be the name of a file in a package"
        case .nameTwice(let name): "two files would be called \(name).bin; rename one of them"
        case .tooManySoftDevices: "at most 65535 SoftDevices can be named"
        case .keyMissing: "packets of 0.8 are signed; a key is missing"
        case .keyUnused(let generation):
            "packets of \(generation.rawValue) are not signed; the key has no use"
        case .notSigned: "the init packet could not be signed"
        case .unreadable(let error): "the init packet would be refused: \(error)"
        }
    }
}
