import Bytes

struct PartDraft {
    let role: FirmwareRole
    let type: FirmwareType
    let stem: String
    let image: [UInt8]
    let version: UInt32
    let softDevices: [UInt32]
    /// The boot checks in the order of the init packet, each with the bytes that its signature would cover.
    let checks: [(BootCheck, covered: [UInt8])]
    var softDeviceBytes = 0
    var bootloaderBytes = 0
    var applicationBytes = 0

    /// The version of a SoftDevice has no meaning; nrfutil writes the highest value, which every bootloader accepts.
    static let softDeviceVersion = UInt32.max

    static func both(
        _ softDevice: FirmwareInput, _ bootloader: FirmwareInput, requiring ids: [UInt32]
    ) -> PartDraft {
        PartDraft(
            role: .softdeviceBootloader, type: .softdeviceBootloader, stem: "sd_bl",
            image: softDevice.bytes + bootloader.bytes, version: bootloader.version, softDevices: ids,
            checks: [(softDevice.bootCheck, softDevice.bytes), (bootloader.bootCheck, bootloader.bytes)],
            softDeviceBytes: softDevice.bytes.count, bootloaderBytes: bootloader.bytes.count)
    }

    static func softDevice(_ input: FirmwareInput, requiring ids: [UInt32]) -> PartDraft {
        PartDraft(
            role: .softdevice, type: .softdevice, stem: input.stem, image: input.bytes,
            version: softDeviceVersion, softDevices: ids, checks: [(input.bootCheck, input.bytes)],
            softDeviceBytes: input.bytes.count)
    }

    static func bootloader(_ input: FirmwareInput, requiring ids: [UInt32]) -> PartDraft {
        PartDraft(
            role: .bootloader, type: .bootloader, stem: input.stem, image: input.bytes,
            version: input.version, softDevices: ids, checks: [(input.bootCheck, input.bytes)],
            bootloaderBytes: input.bytes.count)
    }

    static func application(_ input: FirmwareInput, requiring ids: [UInt32], isExternal: Bool) -> PartDraft {
        PartDraft(
            role: .application, type: isExternal ? .externalApplication : .application, stem: input.stem,
            image: input.bytes, version: input.version, softDevices: ids,
            checks: [(input.bootCheck, input.bytes)], applicationBytes: input.bytes.count)
    }

    /// The part with its init packet, under names that are not in `taken`.
    func part(
        hardware: UInt32, isDebug: Bool, key: NordicPrivateKey?, besides taken: [String]
    ) throws(PackageBuildError) -> BuiltPart {
        var recipe = InitCommandRecipe(
            type, version: version, hardware: hardware, softDevices: softDevices,
            digest: SHA256Digest.digest(image))
        recipe.softDeviceSize = UInt32(clamping: softDeviceBytes)
        recipe.bootloaderSize = UInt32(clamping: bootloaderBytes)
        recipe.applicationSize = UInt32(clamping: applicationBytes)
        recipe.isDebug = isDebug
        for (check, covered) in checks {
            recipe.bootValidations.append(
                BootValidation(
                    type: check.rawValue,
                    bytes: check == .signature ? try Self.signature(of: covered, key) : []))
        }
        // Files of the same name from two folders need separate entries.
        let name = taken.contains(stem + ".bin") ? "\(stem)_\(role.rawValue)" : stem
        return BuiltPart(
            role: role, binFile: name + ".bin", datFile: name + ".dat", image: image,
            initPacket: try recipe.packet(signedBy: key),
            sizes: role == .softdeviceBootloader ? (bootloaderBytes, softDeviceBytes) : nil)
    }

    private static func signature(
        of image: [UInt8], _ key: NordicPrivateKey?
    ) throws(PackageBuildError) -> [UInt8] {
        guard let key else { throw .keyMissing }
        return try PackageBuildError.signing { () throws(SignatureError) in try key.sign(image) }
    }
}

package struct FirmwareInput: Hashable, Sendable {
    /// The file name without folders; the entries of the package are named after it.
    package var name: String
    /// The image, a multiple of 4 bytes.
    package var bytes: [UInt8]
    /// The image's version; a SoftDevice has none.
    package var version: UInt32
    package var bootCheck: BootCheck

    package init(name: String, bytes: [UInt8], version: UInt32, bootCheck: BootCheck = .crc) {
        self.name = name
        self.bytes = bytes
        self.version = version
        self.bootCheck = bootCheck
    }

    /// The name without `.hex` or `.bin`.
    var stem: String {
        for ending in [".hex", ".bin"] where name.hasSuffix(ending) && name.count > ending.count {
            return String(name.dropLast(ending.count))
        }
        return name
    }
}

/// How a bootloader of SDK 15.3 or later checks an image at every start.
package enum BootCheck: UInt32, CaseIterable, Hashable, Sendable {
    case nothing = 0
    /// By a CRC that the bootloader computes once it has the image.
    case crc = 1
    /// By a SHA-256 that the bootloader computes.
    case sha256 = 2
    /// By a signature over the image in the init packet, which is then too long for SDK 12 to 15.0.
    case signature = 3
}
