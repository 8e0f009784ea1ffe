package import Bytes
package import UpdateModel

/// The contents of an init packet; ``packet(signedBy:)`` makes the bytes of the `.dat` file.
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
        self.type = type
        firmwareVersion = version
        hardwareVersion = hardware
        softDeviceRequirements = softDevices
        self.digest = digest
    }
}

extension InitCommandRecipe {
    /// The init packet, signed if `key` is given. `InitCommand` is encoded once: these bytes are signed and then
    /// wrapped unchanged.
    package func packet(signedBy key: NordicPrivateKey? = nil) throws(PackageBuildError) -> [UInt8] {
        let initCommand = initCommand
        var command = WireWriter()
        command.number(1, 1)
        command.bytes(2, initCommand)
        var packet = WireWriter()
        guard let key else {
            packet.bytes(1, command.bytes)
            return packet.bytes
        }
        let signature = try PackageBuildError.signing { () throws(SignatureError) in
            try key.sign(initCommand)
        }
        var signed = WireWriter()
        signed.bytes(1, command.bytes)
        signed.number(2, 0)
        signed.bytes(3, signature)
        packet.bytes(2, signed.bytes)
        return packet.bytes
    }

    private var initCommand: [UInt8] {
        var hash = WireWriter()
        hash.number(1, HashType.sha256.rawValue)
        hash.bytes(2, digest.reversed())
        var message = WireWriter()
        message.number(1, firmwareVersion)
        message.number(2, hardwareVersion)
        message.numbers(3, softDeviceRequirements)
        message.number(4, type.rawValue)
        message.number(5, softDeviceSize)
        message.number(6, bootloaderSize)
        message.number(7, applicationSize)
        message.bytes(8, hash.bytes)
        message.number(9, isDebug ? 1 : 0)
        for validation in bootValidations {
            var check = WireWriter()
            check.number(1, validation.type)
            check.bytes(2, validation.bytes)
            message.bytes(10, check.bytes)
        }
        return message.bytes
    }
}

package enum PackageBuildError: Error, Equatable, Sendable {
    case nothingToPack
    /// A bootloader and an application without a SoftDevice. Bootloaders take one system part and then an
    /// application; nrfutil refuses this too.
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
        default: .nordicFile.buildRefused
        }
    }

    static func signing<T>(_ body: () throws(SignatureError) -> T) throws(PackageBuildError) -> T {
        do throws(SignatureError) { return try body() } catch { throw .signature(error) }
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
