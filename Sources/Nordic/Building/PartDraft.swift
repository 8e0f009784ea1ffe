import Bytes

struct PartDraft {
    private let role: FirmwareRole
    private let type: FirmwareType
    private let stem: String
    /// The images that form the part's image.
    private let inputs: [FirmwareInput]
    private let version: UInt32
    private let softDevices: [UInt32]

    /// A part with `input`, which follows a SoftDevice `before` it in one image. The version of a SoftDevice has no
    /// meaning; nrfutil writes the highest value, which every bootloader accepts.
    init(
        role: FirmwareRole, _ input: FirmwareInput, after before: FirmwareInput? = nil,
        requiring softDevices: [UInt32], isExternal: Bool = false
    ) {
        self.role = role
        type = isExternal ? .externalApplication : role.type
        stem = before == nil ? input.stem : "sd_bl"
        inputs = [before, input].compactMap(\.self)
        version = role == .softdevice ? .max : input.version
        self.softDevices = softDevices
    }

    /// The part with its init packet, under names that are not in `taken`.
    func part(
        hardware: UInt32, isDebug: Bool, key: NordicPrivateKey?, besides taken: [String]
    ) throws(PackageBuildError) -> BuiltPart {
        let image = inputs.flatMap(\.bytes)
        let softDeviceBytes = role.carriesSoftDevice ? inputs.first?.bytes.count ?? 0 : 0
        let bootloaderBytes = role.carriesBootloader ? inputs.last?.bytes.count ?? 0 : 0
        var recipe = InitCommandRecipe(
            type, version: version, hardware: hardware, softDevices: softDevices,
            digest: SHA256Digest.digest(image))
        recipe.softDeviceSize = UInt32(clamping: softDeviceBytes)
        recipe.bootloaderSize = UInt32(clamping: bootloaderBytes)
        recipe.applicationSize = role == .application ? UInt32(clamping: image.count) : 0
        recipe.isDebug = isDebug
        for input in inputs {
            let signature = input.bootCheck == .signature ? try Self.signature(of: input.bytes, key) : []
            recipe.bootValidations.append(
                BootValidation(type: input.bootCheck.rawValue, bytes: signature))
        }
        let sizes = BuiltPart.sizes(softDevice: softDeviceBytes, bootloader: bootloaderBytes)
        return BuiltPart(
            role: role,
            // Files of the same name from two folders need separate entries.
            name: taken.contains(stem + ".bin") ? "\(stem)_\(role.rawValue)" : stem,
            image: image, initPacket: try recipe.packet(signedBy: key),
            // Informational only.
            notes: role == .softdeviceBootloader ? ["info_read_only_metadata": .object(sizes)] : [:])
    }

    private static func signature(
        of image: [UInt8], _ key: NordicPrivateKey?
    ) throws(PackageBuildError) -> [UInt8] {
        guard let key else { throw .keyMissing }
        return try key.signature(of: image)
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
