package import Bytes
package import UpdateModel

package enum PackageError: Error, Equatable, Sendable {
    package enum FieldError: Equatable, Sendable {
        case missing
        case wrongType
    }

    case archive(ArchiveError)
    /// There is no `manifest.json` at the root; `elsewhere` is the path of one in a folder.
    case noManifest(elsewhere: String?)
    case manifestNotJSON
    /// The manifest is not plain UTF-8; the associated value says why.
    case manifestEncoding(String)
    /// An object of the manifest has this key twice; the second one is at byte `offset` of the manifest.
    case manifestKeyRepeated(String, offset: Int)
    case manifestField(String, FieldError)
    case manifestWithoutParts
    case conflictingParts([FirmwareRole])
    case mcuboot
    /// The package is for Legacy DFU (nRF5 SDK 11 and earlier), as `evidence` shows.
    case legacy(evidence: String)
    case missingEntry(String, role: FirmwareRole)
    case emptyEntry(String, role: FirmwareRole)
    case initPacket(InitPacketError, entry: String)
    case imageAsInitPacket(entry: String)
    case hex(HexError, entry: String)
}

extension PackageError: CustomStringConvertible {
    package var description: String {
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
        case .manifestWithoutParts: return "manifest.json: lists no application, bootloader or softdevice"
        case .conflictingParts(let roles):
            let names = roles.map(\.rawValue).joined(separator: " and ")
            return "manifest.json: \(names) cannot be in one package"
        case .mcuboot:
            return "this is an MCUboot package: update the beacon over SMP, for example with mcumgr"
        case .legacy(let evidence): return "this is a Legacy DFU package (\(evidence)), not a secure one"
        case .missingEntry(let name, let role):
            return "manifest.json: \(role.rawValue) names \(name), which is not in the archive"
        case .emptyEntry(let name, let role): return "\(name): the \(role.rawValue) file is empty"
        case .initPacket(let error, let entry): return "\(entry): \(error.description)"
        case .imageAsInitPacket(let entry): return "\(entry): this is the image, not an init packet"
        case .hex(let error, let entry): return "\(entry): \(error.description)"
        }
    }
}

extension PackageError {
    package var code: FailureCode {
        switch self {
        case .archive(let error): error.code
        case .noManifest: .nordicFile.manifestMissing
        case .manifestNotJSON: .nordicFile.manifestNotJSON
        case .manifestEncoding: .nordicFile.manifestEncoding
        case .manifestKeyRepeated: .nordicFile.manifestKeyRepeated
        case .manifestField: .nordicFile.manifestFieldInvalid
        case .manifestWithoutParts: .nordicFile.manifestWithoutParts
        case .conflictingParts: .nordicFile.partsConflict
        case .mcuboot: .nordicFile.mcubootPackage
        case .legacy: .nordicFile.legacyPackage
        case .missingEntry: .file.entryMissing
        case .emptyEntry: .nordicFile.entryEmpty
        case .initPacket, .imageAsInitPacket: .nordicFile.initPacketMalformed
        case .hex: .file.hexInvalid
        }
    }
}
