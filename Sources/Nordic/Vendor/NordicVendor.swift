package import Bluetooth
package import Bytes
package import UpdateModel

/// Nordic Semiconductor: Secure and Legacy DFU, and ZIP files that no other vendor claims.
package struct NordicVendor: Vendor {
    private let limits: ArchiveLimits

    package init(limits: ArchiveLimits = ArchiveLimits()) { self.limits = limits }

    package let name = "nordic"
    package let kinds = [FirmwareKind.nordicSecure, .nordicLegacy]
    package let fileExtensions = [".zip"]
    package let advertised = [
        AdvertisedUpdate(
            SecureService.uuid, .nordicSecure, word: "secure", isBootloader: true, place: .above),
        // Bootloaders of SDK 6.1 and earlier have the application's address.
        AdvertisedUpdate(
            LegacyService.uuid, .nordicLegacy, word: "legacy", isBootloader: true, place: .aboveOrApplication),
    ]
    package let characteristicNames = [
        SecureService.controlPoint.uuid: "DFU Control Point", SecureService.packet.uuid: "DFU Packet",
        ButtonlessService.unbonded.uuid: "Buttonless DFU",
        ButtonlessService.bonded.uuid: "Buttonless DFU with bonds",
        ButtonlessService.experimental.uuid: "Buttonless DFU of SDK 12",
        LegacyService.controlPoint.uuid: "DFU Control Point", LegacyService.packet.uuid: "DFU Packet",
        LegacyService.version.uuid: "DFU Revision",
    ]
    package var failureCodes: [any FailureCodeGroup] {
        [FailureCode.nordicFile, FailureCode.nordicFinding, FailureCode.nordicRefusal]
    }
    package let wording = VendorWording(
        files: "Nordic", sample: "firmware-samples/nordic/blinker-1.1.0.zip",
        longPackets: "Nordic's SDK 15 and later",
        risks: [
            .lowerVersion: "Secure DFU",
            .unchangedVersion: "Legacy DFU: the link ended at the start, and the version is as before",
        ], recipes: [.nordicSecure: "nordic", .nordicLegacy: "nordic-legacy"])
    package let options: [any VendorOptions.Type] = [NordicOptions.self]
    package var targetKeys: [DeviceKey] { NordicTarget.keys }
    package let modelKeys = [DeviceKey.number("hardware")]

    package func recognise(_ file: [UInt8]) throws(FirmwareFileError) -> PackageFile? {
        guard Self.isArchive(file) else {
            if Self.isInitPacket(file) { return .unsupported(.initPacket) }
            return file.starts(with: Self.mcubootMagic) ? .unsupported(.mcuboot) : nil
        }
        do {
            return .firmware(try NordicPackage(parsing: file, limits: limits))
        } catch .noManifest(elsewhere: nil), .legacy {
            return try legacyPackage(file)
        } catch .noManifest(let elsewhere?) {
            return .unsupported(.zip("\(elsewhere) is in a folder: zip the files, not the folder"))
        } catch .mcuboot {
            return .unsupported(.mcuboot)
        } catch {
            throw FirmwareFileError(error)
        }
    }

    private func legacyPackage(_ file: [UInt8]) throws(FirmwareFileError) -> PackageFile {
        do {
            return .firmware(try LegacyPackage(parsing: file, limits: limits))
        } catch .noManifest {
            return .unsupported(
                .zip("a Nordic package has a manifest.json at its root; create one with \(task: .build(nil))")
            )
        } catch {
            throw FirmwareFileError(error)
        }
    }

    /// Whether the file is an init packet without its package. A Legacy init packet counts only if it lists SoftDevices
    /// and has an extension.
    private static func isInitPacket(_ file: [UInt8]) -> Bool {
        guard file.count <= 512 else { return false }
        if (try? InitPacket(parsing: file)) != nil { return true }
        guard let packet = try? LegacyInitPacket(parsing: file) else { return false }
        return !packet.softDeviceRequirements.isEmpty && packet.end.generation != nil
    }

    /// 0x96F3B83D, at the start of an image for MCUboot.
    private static let mcubootMagic: [UInt8] = [0x3D, 0xB8, 0xF3, 0x96]

    private static func isArchive(_ file: [UInt8]) -> Bool {
        file.starts(with: [0x50, 0x4B, 0x03, 0x04]) || file.starts(with: [0x50, 0x4B, 0x05, 0x06])
    }

    package func updates(offeredBy device: DeviceInventory) -> [OfferedUpdate] {
        var list: [OfferedUpdate] = []
        if device.offers(SecureService.controlPoint), device.offers(SecureService.packet) {
            list.append(OfferedUpdate(.nordicSecure, "Nordic Secure DFU", .bootloader, SecureService.uuid))
        }
        let ways = [
            (ButtonlessService.unbonded, "Nordic Buttonless DFU, without bonds"),
            (ButtonlessService.bonded, "Nordic Buttonless DFU, with bonds"),
            (ButtonlessService.experimental, "Nordic Buttonless DFU of SDK 12"),
        ]
        for (way, title) in ways where device.offers(way) {
            list.append(OfferedUpdate(.nordicButtonless, title, .application, way.service))
        }
        if device.offers(LegacyService.controlPoint) {
            let program = LegacyService.program(on: device)
            list.append(OfferedUpdate(.nordicLegacy, "Nordic Legacy DFU", program, LegacyService.uuid))
        }
        return list
    }
}

extension UnsupportedFile {
    fileprivate static let initPacket = UnsupportedFile(
        .initPacket,
        hint: "this is the init packet of a package without its image: use the whole package (.zip), or zip "
            + "it with image and manifest.json")
    fileprivate static let mcuboot = UnsupportedFile(
        .mcuboot, hint: "update the device over SMP, for example with mcumgr; its bootloader is not Nordic's",
        code: .nordicFile.mcubootPackage)
    fileprivate static func zip(_ hint: Advice) -> UnsupportedFile {
        UnsupportedFile(.zip, hint: hint, code: .nordicFile.manifestMissing)
    }
}

extension LegacyService {
    /// The running program, by its DFU version. Applications that can only start the bootloader have 0.1, bootloaders 0.5
    /// or later; bootloaders before SDK 7 have no version and no other services (nordic-legacy.md, Layout).
    fileprivate static func program(on device: DeviceInventory) -> RunningProgram? {
        switch device.reading(of: version) {
        case .value(applicationVersion): .application
        case .value: .bootloader
        case nil: device.services.count > bootloaderServices ? .application : .bootloader
        case .unread, .unreadable: nil
        }
    }
}

extension FirmwareFileError {
    /// Adds entry and offset if the ZIP file itself is refused.
    init(_ error: PackageError) {
        if case .archive(let flaw) = error, flaw.entry != nil || flaw.offset != nil {
            self.init(
                flaw.code, at: Finding.Place(entry: flaw.entry, offset: flaw.offset), cause: flaw.cause,
                "\(error)")
        } else {
            self.init(error.code, "\(error)")
        }
    }
}
