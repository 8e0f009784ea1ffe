import Bytes

/// The contents of a Legacy package; the same recipe gives the same bytes.
///
/// The names and defaults are those of nrfutil 0.5 and adafruit-nrfutil (`dfu genpkg`): a SoftDevice and a bootloader
/// together form one part, `sd_bl`.
package struct LegacyRecipe: Sendable {
    package struct Firmware: Hashable, Sendable {
        /// The name without `.bin`.
        package let name: String
        /// The bytes, which the package pads with FF to a multiple of 4.
        package let bytes: [UInt8]

        package init(name: String, bytes: [UInt8]) {
            self.name = name
            self.bytes = bytes
        }

        var padded: [UInt8] { bytes + [UInt8](repeating: 0xFF, count: -bytes.count & 3) }
    }

    package var application: Firmware?
    package var bootloader: Firmware?
    package var softDevice: Firmware?
    /// The device's type: 0x0052 for Adafruit's bootloader; FFFF names none.
    package var deviceType: UInt16 = .max
    package var deviceRevision: UInt16 = .max
    package var applicationVersion: UInt32 = .max
    /// SoftDevice ids (FWIDs), one of which must be installed.
    package var softDeviceRequirements: [UInt16] = [LegacyInitPacket.anySoftDevice]
    package var generation = LegacyGeneration.crc16

    package init() {}

    /// The entries of the package: image and init packet of each part in sending order, then the manifest.
    ///
    /// `signature` signs a message: r then s, 32 bytes each, most significant byte first; nil if that fails.
    /// Generation 0.8 requires it; the others have no field for it.
    package func entries(
        signature: ((_ message: [UInt8]) -> [UInt8]?)? = nil
    ) throws(LegacyRecipeError) -> [PackageEntry] {
        guard (generation == .signedHash) == (signature != nil) else {
            throw signature == nil ? .keyMissing : .keyUnused(generation)
        }
        guard softDeviceRequirements.count <= Int(UInt16.max) else { throw .tooManySoftDevices }
        let system = [softDevice, bootloader].compactMap(\.self)
        for firmware in system + [application].compactMap(\.self) {
            guard !firmware.bytes.isEmpty else { throw .emptyImage(firmware.name) }
            guard Self.isPlain(firmware.name) else { throw .unusableName(firmware.name) }
        }
        let systemName = system.count == 2 ? "sd_bl" : system.first?.name
        guard systemName != nil || application != nil else { throw .nothingToPack }
        // If both have one name, nrfutil would write the first image to the package twice.
        if let systemName, systemName == application?.name { throw .nameTwice(systemName) }
        var parts: [BuiltPart] = []
        if let systemName {
            let role: FirmwareRole =
                system.count == 2 ? .softdeviceBootloader : bootloader == nil ? .softdevice : .bootloader
            parts.append(try part(role, systemName, system, signature))
        }
        if let application {
            parts.append(try part(.application, application.name, [application], signature))
        }
        return parts.entries(dfuVersion: generation.rawValue)
    }

    /// The entries, signed by `key` unless it is nil. Signatures are deterministic, so a recipe gives the same bytes.
    package func entries(signedBy key: NordicPrivateKey?) throws(LegacyRecipeError) -> [PackageEntry] {
        guard let key else { return try entries() }
        return try entries { message in
            guard let halves = try? key.sign(message) else { return nil }
            return halves.prefix(32).reversed() + halves.dropFirst(32).reversed()
        }
    }

    /// The part with the images of `firmware`: one, or a SoftDevice and the bootloader that follows it.
    private func part(
        _ role: FirmwareRole, _ name: String, _ firmware: [Firmware], _ signature: (([UInt8]) -> [UInt8]?)?
    ) throws(LegacyRecipeError) -> BuiltPart {
        let images = firmware.map(\.padded)
        let image = images.flatMap(\.self)
        let packet = try initPacket(for: image, signature)
        var notes = ["init_packet_data": JSONValue.members(packet.notes)]
        if images.count == 2 {
            let sizes = BuiltPart.sizes(softDevice: images[0].count, bootloader: images[1].count)
            notes.merge(sizes) { $1 }
        }
        return BuiltPart(role: role, name: name, image: image, initPacket: packet.bytes, notes: notes)
    }

    private func initPacket(
        for image: [UInt8], _ signature: (([UInt8]) -> [UInt8]?)?
    ) throws(LegacyRecipeError) -> LegacyInitPacket {
        var packet = deviceType.bytes() + deviceRevision.bytes() + applicationVersion.bytes()
        packet += UInt16(softDeviceRequirements.count).bytes() + softDeviceRequirements.flatMap { $0.bytes() }
        packet += generation.extensionID?.bytes() ?? []
        switch generation {
        case .crc16, .extendedCRC16: packet += CRC16.checksum(image, from: 0xFFFF).bytes()
        case .hash, .signedHash: packet += UInt32(image.count).bytes() + SHA256Digest.digest(image)
        }
        if let signature {
            guard let halves = signature(packet) else { throw .notSigned }
            packet += halves
        }
        // Parsing the packet again detects a signature of the wrong length.
        do { return try LegacyInitPacket(parsing: packet) } catch { throw .unreadable(error) }
    }

    private static func isPlain(_ name: String) -> Bool {
        !name.isEmpty
            && name.unicodeScalars.allSatisfy {
                $0.value >= 0x20 && $0.value < 0x7F && !"/\\:\"".unicodeScalars.contains($0)
            }
    }
}

package enum LegacyRecipeError: Error, Equatable, Sendable {
    case nothingToPack
    case emptyImage(String)
    /// Not a portable file name: it has to be ASCII without `/`, `\`, `:` and quotes.
    case unusableName(String)
    case nameTwice(String)
    case tooManySoftDevices
    case keyMissing
    case keyUnused(LegacyGeneration)
    case notSigned
    case unreadable(InitPacketError)
}

extension LegacyRecipeError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .nothingToPack: "there is no application, bootloader or SoftDevice to pack"
        case .emptyImage(let name): "\(name) is empty"
        case .unusableName(let name): "\(name) cannot be the name of a file in a package"
        case .nameTwice(let name): "two files would be called \(name).bin; rename one of them"
        case .tooManySoftDevices: "at most 65535 SoftDevices are allowed"
        case .keyMissing: "init packets of 0.8 are signed; give a key"
        case .keyUnused(let generation): "init packets of \(generation.rawValue) are not signed; omit the key"
        case .notSigned: "the init packet could not be signed"
        case .unreadable(let error): "the init packet would be refused: \(error)"
        }
    }
}
