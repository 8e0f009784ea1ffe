package import Bluetooth
package import Bytes
package import UpdateModel

extension FirmwareKind {
    package static let mcuboot = FirmwareKind(rawValue: "mcuboot")
    /// Updates over SMP, in the list of what a beacon offers.
    static let smp = FirmwareKind(rawValue: "smp")
}

/// MCUboot images and packages of the nRF Connect SDK, for beacons that receive updates over SMP.
package struct MCUbootVendor: Vendor {
    private let limits: ArchiveLimits

    package init(limits: ArchiveLimits = ArchiveLimits()) { self.limits = limits }

    package let name = "mcuboot"
    package let kinds = [FirmwareKind.mcuboot]
    package let fileExtensions = [".bin", ".hex", ".zip"]
    package let advertised = [AdvertisedUpdate(SMPService.uuid, .mcuboot, word: "smp", isBootloader: false)]
    package let characteristicNames = [SMPService.characteristic.uuid: "SMP"]
    package var failureCodes: [any FailureCodeGroup] {
        [FailureCode.mcubootFile, FailureCode.mcubootPackage, FailureCode.smp]
    }
    package let wording = VendorWording(
        files: "MCUboot",
        risks: [.lowerVersion: "MCUboot that starts the highest version, or prevents downgrades"],
        recipes: [.mcuboot: "mcuboot"])
    package let options: [any VendorOptions.Type] = [MCUbootOptions.self, SMPPreferences.self]
    package let targetKeys = [
        DeviceKey.text("board"), .number("slot_size"), .word("mode", of: BootloaderMode.words),
        .number("security_counter"),
        Self.hashKey("key_hash", of: "a key's hash"), Self.hashKey("image_hash", of: "an image's hash"),
    ]
    package let modelKeys = [DeviceKey.text("board")]

    private static func hashKey(_ name: String, of thing: String) -> DeviceKey {
        DeviceKey(name, allowed: ["the 64, 96 or 128 hexadecimal digits of \(thing)"]) { text in
            [64, 96, 128].contains(text.utf8.count) && (try? HexText.decode(text)) != nil
        }
    }

    package func recognise(_ file: [UInt8]) throws(FirmwareFileError) -> PackageFile? {
        if file.starts(with: [0x50, 0x4B]) { return try package(file) }
        do throws(MCUbootImageError) {
            if MCUbootImage.begins(file) { return .firmware(MCUbootFile(try MCUbootImage(parsing: file))) }
            switch try SignedHexFile.content(of: file) {
            case .one(let hex): return .firmware(MCUbootFile(hex))
            case .several(let places): return .unsupported(.severalImages(at: places))
            case nil: break
            }
        } catch { throw FirmwareFileError(error) }
        return SUITEnvelope.begins(file) ? .unsupported(.suit) : nil
    }

    private func package(_ file: [UInt8]) throws(FirmwareFileError) -> PackageFile? {
        do { return try MCUbootFile(package: file, limits: limits).map { .firmware($0) } } catch {
            throw FirmwareFileError(error)
        }
    }

    package func lookalike(_ file: [UInt8]) -> String? {
        file.count < 4 && !file.isEmpty && ImageHeader.beginning.starts(with: file)
            ? "begins like an MCUboot image, but ends after \(file.count) bytes" : nil
    }

    package func updates(offeredBy device: DeviceInventory) -> [OfferedUpdate] {
        device.offers(SMPService.uuid)
            ? [OfferedUpdate(.smp, "MCUmgr SMP", .application, SMPService.uuid)] : []
    }
}

extension UnsupportedFile {
    fileprivate static func severalImages(at places: [UInt32]) -> UnsupportedFile {
        let list = places.map { HexText.number($0) }.joined(separator: ", ")
        return UnsupportedFile(
            .intelHex,
            hint: "\(places.count) MCUboot images, at \(list); use the image of one of them (.bin), or the "
                + "package (.zip) that the build writes beside this file")
    }

    fileprivate static let suit = UnsupportedFile(
        .unknown,
        hint:
            "this is an envelope for SUIT, the updates of the nRF54H20, which this program does not support",
        code: .mcubootPackage.suit)
}

/// Not an `IdentityVendor`: an update reads the list of images itself, which tells more than a version.
extension MCUbootVendor: SessionVendor {
    package var beaconNoun: String { "SMP beacon" }

    /// Whether the beacon advertises SMP. Many beacons with SMP do not: then only a connection shows it.
    package func recognises(_ beacon: HeardBeacon) -> Bool { beacon.services.contains(SMPService.uuid) }

    package func isOffered(by device: DeviceInventory, heardAs beacon: HeardBeacon) -> Bool {
        device.offers(SMPService.uuid)
    }

    package func reportedFacts(hasSecret: Bool) -> Set<String> { ["version", "hardware"] }

    package func session(
        with beacon: HeardBeacon, at address: DeviceAddress, by secret: Secret?
    ) -> SMPSession { SMPSession() }

    package func reading(of peer: SMPPeer) -> MappedDialogue<SMPReading, SessionReading> {
        MappedDialogue(SMPReading(of: peer)) { (report) throws(SessionFailure) in report.reading }
    }
}

/// The key that images are checked with (`--public-key`); nil for no check.
package struct MCUbootOptions: VendorOptions {
    package var key: SignatureKey?

    package init() {}
}
