public import Archives
public import HexFiles

/// Why a file is not a usable Nordic package: what is wrong, in which entry, and where.
public enum PackageError: Error, Equatable, Sendable {
    /// What is wrong with a field of the manifest.
    public enum FieldFlaw: Equatable, Sendable {
        /// It is not there.
        case missing
        /// It has another JSON type.
        case wrongType
    }

    /// The ZIP file itself is refused.
    case archive(ArchiveError)
    /// There is no `manifest.json` at the root; `elsewhere` is one in a folder.
    case noManifest(elsewhere: String?)
    /// The manifest is not JSON; FoundationEssentials' parser does not say where.
    case manifestNotJSON
    /// The manifest is not plain UTF-8; what it is instead.
    case manifestEncoding(String)
    /// An object of the manifest has this key twice; the second one is at `offset` from the manifest's start.
    case manifestKeyRepeated(String, offset: Int)
    /// The field of the manifest at this path is not usable.
    case manifestField(String, FieldFlaw)
    /// The manifest names no part that we know.
    case manifestWithoutParts
    /// The manifest names more than one system part.
    case conflictingParts([FirmwareRole])
    /// This is a package for MCUboot, which the Simple Management Protocol updates.
    case mcuboot
    /// This is a package of Legacy DFU (nRF5 SDK 11 and earlier), as `evidence` shows.
    case legacy(evidence: String)
    /// The manifest names an entry that is not in the archive.
    case missingEntry(String, role: FirmwareRole)
    /// The entry has no bytes.
    case emptyEntry(String, role: FirmwareRole)
    /// The init packet in this entry cannot be read.
    case initPacket(InitPacketError, entry: String)
    /// The entry that should be the init packet has the content of the image.
    case imageAsInitPacket(entry: String)
    /// The image in this entry is Intel HEX that cannot be used.
    case hex(HexError, entry: String)
}

extension PackageError: CustomStringConvertible {
    /// One line for people: the entry, the place, what is wrong, and where there is one, the way out.
    public var description: String {
        switch self {
        case .archive(let error): return error.description
        case .noManifest(let elsewhere?):
            return "manifest.json is in a folder (\(elsewhere)): zip the files, not the folder"
        case .noManifest(nil): return "there is no manifest.json in the archive"
        case .manifestNotJSON: return "manifest.json: cannot be read as JSON"
        case .manifestEncoding(let flaw): return "manifest.json: \(flaw)"
        case .manifestKeyRepeated(let key, let offset):
            return "manifest.json at offset \(offset): the key \(key) occurs twice in one object"
        case .manifestField(let field, .missing): return "manifest.json: \(field) is missing"
        case .manifestField(let field, .wrongType): return "manifest.json: \(field) has the wrong type"
        case .manifestWithoutParts: return "manifest.json: names no application, bootloader or softdevice"
        case .conflictingParts(let roles):
            let names = roles.map(\.rawValue).joined(separator: " and ")
            return "manifest.json: \(names) cannot be in one package"
        case .mcuboot:
            return "this is an MCUboot package: update the device over SMP, for example with mcumgr"
        case .legacy(let evidence): return "this is a Legacy DFU package (\(evidence)), not a secure one"
        case .missingEntry(let name, let role):
            return "manifest.json: \(role.rawValue) names \(name), which is not in the archive"
        case .emptyEntry(let name, let role): return "\(name): the \(role.rawValue) file is empty"
        case .initPacket(let error, let entry): return "\(entry): \(error.description)"
        case .imageAsInitPacket(let entry):
            return "\(entry): this is the image itself, not an init packet"
        case .hex(let error, let entry): return "\(entry): \(error.description)"
        }
    }
}

extension PackageError {
    init(_ error: DecodingError?) {
        switch error {
        case .keyNotFound(let key, let context)?:
            self = .manifestField(Self.path(context.codingPath + [key]), .missing)
        case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?:
            self = .manifestField(Self.path(context.codingPath), .wrongType)
        case .dataCorrupted(let context)? where !context.codingPath.isEmpty:
            self = .manifestField(Self.path(context.codingPath), .wrongType)
        default: self = .manifestNotJSON
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.isEmpty ? "the outermost value" : keys.map(\.stringValue).joined(separator: ".")
    }
}
