package import Bytes
package import UpdateModel

/// The contents of an init packet, from which ``packet(signedBy:)`` builds the `.dat` file.
///
/// The encoding matches nrfutil byte for byte: every field is written, zeros included, in the order of field numbers;
/// `sd_req` is packed; the bytes of a boot validation are written even if empty (init-packet.md, Layout). Unlike
/// nrfutil, `sd_req` keeps the order given.
package struct InitCommandRecipe: Hashable, Sendable {
    package var firmwareVersion: UInt32
    package var hardwareVersion: UInt32
    /// SoftDevice ids (FWIDs), one of which must be installed.
    package var softDeviceRequirements: [UInt32]
    package var type: FirmwareType
    package var softDeviceSize: UInt32 = 0
    package var bootloaderSize: UInt32 = 0
    package var applicationSize: UInt32 = 0
    /// SHA-256 of the image, in the usual byte order.
    package var digest: [UInt8]
    package var isDebug = false
    package var bootValidations: [BootValidation] = []

    package init(
        _ type: FirmwareType, version: UInt32, hardware: UInt32, softDevices: [UInt32], digest: [UInt8]
    ) {
        (self.type, firmwareVersion, hardwareVersion) = (type, version, hardware)
        (softDeviceRequirements, self.digest) = (softDevices, digest)
    }

    /// The init packet, signed if `key` is given: `InitCommand` is encoded once, signed, and wrapped unchanged.
    package func packet(signedBy key: NordicPrivateKey? = nil) throws(PackageBuildError) -> [UInt8] {
        let initCommand = initCommand
        let command: [WireField] = [.number(1, 1), .bytes(2, initCommand)]
        guard let key else { return WireField.bytes(1, command.encoded).encoded }
        let signed: [WireField] = [
            .bytes(1, command.encoded), .number(2, 0), .bytes(3, try key.signature(of: initCommand)),
        ]
        return WireField.bytes(2, signed.encoded).encoded
    }

    private var initCommand: [UInt8] {
        let hash: [WireField] = [.number(1, ImageHash.sha256), .bytes(2, digest.reversed())]
        let fields: [WireField] = [
            .number(1, firmwareVersion), .number(2, hardwareVersion), .numbers(3, softDeviceRequirements),
            .number(4, type.rawValue), .number(5, softDeviceSize), .number(6, bootloaderSize),
            .number(7, applicationSize), .bytes(8, hash.encoded), .number(9, isDebug ? 1 : 0),
        ]
        let checks = bootValidations.map { check in
            WireField.bytes(10, [.number(1, check.type), WireField.bytes(2, check.bytes)].encoded)
        }
        return (fields + checks).encoded
    }
}

extension NordicPrivateKey {
    func signature(of message: [UInt8]) throws(PackageBuildError) -> [UInt8] {
        do { return try sign(message) } catch { throw .signature(error) }
    }
}

package enum PackageBuildError: Error, Equatable, Sendable {
    case nothingToPack
    /// A bootloader and an application without a SoftDevice: after a bootloader alone the old application starts, so
    /// that the second part could not follow. nrfutil refuses this too.
    case bootloaderWithApplication
    /// An image for an external chip cannot be combined with a system part.
    case externalWithSystem
    case keyMissing
    case archive(ArchiveError)
    case signature(SignatureError)

    package var code: FailureCode {
        switch self {
        case .archive(let error): error.code
        case .signature: .system.internalError
        default: .file.buildRefused
        }
    }
}

extension PackageBuildError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .nothingToPack: "no image was given"
        case .bootloaderWithApplication:
            "a bootloader and an application need two packages, the bootloader's first, unless the package "
                + "includes a SoftDevice"
        case .externalWithSystem: "an image for an external chip needs a package of its own"
        case .keyMissing: "a boot check by signature needs the signing key"
        case .archive(let error): error.description
        case .signature(let error): error.description
        }
    }
}
