import Bytes
package import UpdateModel

extension MCUbootFile: VendorFile {
    package var kind: FirmwareKind { .mcuboot }

    package var usualExtension: String {
        switch container {
        case .image: ".bin"
        case .hex: ".hex"
        case .package: ".zip"
        }
    }

    package var optionTypes: [any VendorOptions.Type] { [MCUbootOptions.self, SMPPreferences.self] }
    package var risks: Set<Risk> { [.sameVersion, .lowerVersion] }

    /// The boards that the manifest names, or, if it names none, the systems on chip.
    package var hardware: String? {
        let named = hardwareNames(\.board).isEmpty ? hardwareNames(\.soc) : hardwareNames(\.board)
        return named.isEmpty ? nil : named.joined(separator: " and ")
    }

    private func hardwareNames(_ name: (SDKManifest.File) -> String?) -> [String] {
        parts.reversed().compactMap { $0.file.flatMap(name) }.filter { !$0.isEmpty }.unique
    }

    /// The variants of an image for two slots count as one part, because one of them is sent.
    package var summary: PackageSummary {
        var summarised: [PackageSummary.Part] = []
        for (index, part) in parts.enumerated() {
            let variants = parts.filter { $0.number == part.number && $0.isBootloader == part.isBootloader }
            guard parts.firstIndex(where: { variants.contains($0) }) == index else { continue }
            let image = part.image
            var remarks: [String] = image.signatures.isEmpty ? [] : ["signed"]
            if image.isEncrypted { remarks.append("encrypted") }
            if image.isCompressed { remarks.append("compressed") }
            if variants.count > 1 { remarks.append("variants for two slots") }
            summarised.append(
                PackageSummary.Part(
                    part.title, bytes: variants.map(\.image.end).max() ?? image.end,
                    version: FirmwareVersion(
                        "\(image.header.version)",
                        at: Finding.Place(
                            entry: part.file?.name, offset: ImageHeader.versionOffset, field: "ih_ver")),
                    remarks: remarks, isApplication: part.isApplication))
        }
        return PackageSummary(summarised)
    }

    /// Beacons name images by their hash: an image with the same hash is not transferred again.
    package var identity: ReleaseIdentity? {
        guard let image = parts.last?.image, let hash = image.hash else { return nil }
        return ReleaseIdentity(compared: hash, field: "hash", program: CRC32.checksum(image.hashedBytes))
    }

    package func findings(_ options: UpdateOptions) -> [Finding] {
        findings(key: options[MCUbootOptions.self].key)
    }

    package func releaseFindings(_ options: UpdateOptions, for device: TargetDevice?) -> [Finding] {
        let key = options[MCUbootOptions.self].key
        return (findings(key: key) + releaseFindings(key: key)).errorsFirst
    }

    /// File names rarely have the build number, so `app-1.2.3.bin` is right for 1.2.3+4.
    package func findings(onName name: String) -> [Finding]? {
        guard let version = parts.last?.image.header.version, version.build != 0 else { return nil }
        let short = "\(version.major).\(version.minor).\(version.revision)"
        let numbers = name.split { !($0.isASCII && $0.isNumber) && $0 != "." }
        return numbers.contains { $0.split(separator: ".").joined(separator: ".") == short } ? [] : nil
    }

    /// Whether the file and `model` name the same board. A file without a board names no model, because it fits many.
    package func names(_ model: DeviceModel) -> Bool {
        guard model.kind == kind, !boards.isEmpty, let board = model.facts["board"] else { return false }
        return isFor(board)
    }

    package func mismatch(with model: DeviceModel) -> Finding? {
        guard let wanted = model.facts["board"], let board = boards.first, !isFor(wanted) else { return nil }
        return Finding(
            .finding.catalogueMismatch, .error, Finding.Place(entry: SDKManifest.fileName, field: "board"),
            "is \(board), but \(model.name) has \(wanted)")
    }

    /// What can be sent, in sending order; of two variants of an image the update sends the one for the free slot.
    package var uploads: [ImageUpload] { parts.compactMap(\.upload) }

    package func plan(_ options: UpdateOptions) throws(PlanRefusal) -> UpdatePlan {
        if let error = findings(options).firstError { throw .file(error) }
        if parts.contains(where: \.isBootloader) {
            throw .notSent(
                because:
                    "the package updates the bootloader itself; a beacon whose bootloader does not start "
                    + "cannot be repaired over the air")
        }
        if let part = parts.first(where: { $0.slot != nil && $0.image.isEncrypted }) {
            throw .notSent(
                because: "the \(part.title) is encrypted, and linked for one slot: a bootloader that starts "
                    + "images where they are cannot decrypt them")
        }
        var preferences = options[SMPPreferences.self]
        preferences.versionText = options.versionText
        preferences.risks = options.risks
        return UpdatePlan(SMPUpdate(uploads, preferences), entry: nil, over: SMPService.uuid)
    }
}

extension MCUbootFile {
    fileprivate var boards: [String] { hardwareNames(\.board) + hardwareNames(\.soc) }

    /// Whether the file is for `board`, or for its system on chip; true if the file names none. A name may lack
    /// revision and core, as in `nrf5340dk` for `nrf5340dk/nrf5340/cpuapp`.
    fileprivate func isFor(_ board: String) -> Bool {
        let wanted = board.lowercased()
        return boards.isEmpty
            || boards.contains {
                let name = $0.lowercased()
                return name == wanted || name.hasPrefix(wanted + "/") || wanted.hasPrefix(name + "/")
            }
    }
}

/// Predicts what a bootloader does with the file (docs/formats/mcuboot.md, Checks).
extension MCUbootFile {
    package func answers(of device: TargetDevice, _ options: UpdateOptions) -> [Answer] {
        let key = options[MCUbootOptions.self].key
        let mains = sentMains(device)
        return [boardAnswer(device)] + mains.flatMap { [sizeAnswer($0, device), modeAnswer($0, device)] }
            + mains.flatMap { [versionAnswer($0.image, device), counterAnswer($0.image, device)] }
            + parts.map { keyAnswer($0.image, device, key) }
    }

    /// The parts for image 0. A bootloader that starts images from the first slot gets that slot's variant.
    private func sentMains(_ device: TargetDevice) -> [MCUbootPart] {
        let mains = parts.filter { $0.number == 0 }
        guard BootloaderMode(device)?.startsFirstSlot == true,
            let first = mains.first(where: { $0.slot ?? 0 == 0 })
        else { return mains }
        return [first]
    }

    /// Refuses a file for another board: bootloaders do not compare boards, but such an image does not start.
    private func boardAnswer(_ device: TargetDevice) -> Answer {
        guard let board = device["board"], !isFor(board) else { return .pass }
        return .refuse(
            .finding.wrongDevice, "the file is for \(boards.joined(separator: ", ")), not for \(board)")
    }

    /// Checks whether the image fits before the trailer, which takes whole sectors of the flash at the slot's end.
    private func sizeAnswer(_ part: MCUbootPart, _ device: TargetDevice) -> Answer {
        guard let slot = device.number("slot_size") else { return .needs("slot_size") }
        let mode = BootloaderMode(device)
        let needed = part.image.end + (mode?.trailer.leastBytes ?? 0)
        guard needed <= Int(slot) else {
            return .refuse(.device.insufficientSpace, "\(needed) bytes are needed, the slot has \(slot)")
        }
        // The slot into which the bootloader unpacks may be larger than the one that receives the image.
        if let unpacked = part.image.unpackedBytes, unpacked > Int(slot) {
            return .needs("the size of the first slot, of which the unpacked image takes \(unpacked) bytes")
        }
        let sectors = (mode?.trailer.sectors ?? 2) * BootloaderMode.usualSectorBytes
        guard Int(slot) - part.image.end < sectors else { return .pass }
        return .needs(
            mode == nil ? "mode" : "the size of the flash's sectors, of which the trailer takes some")
    }

    private func modeAnswer(_ part: MCUbootPart, _ device: TargetDevice) -> Answer {
        let image = part.image
        guard let mode = BootloaderMode(device) else {
            return image.isEncrypted || part.slot != nil || image.header.flags.contains(.ramLoad)
                ? .needs("mode") : .pass
        }
        if image.isEncrypted, mode.startsInPlace {
            return .refuse(
                .mcubootFile.modeUnfit, "a bootloader that starts images where they are cannot decrypt them")
        }
        if let slot = part.slot, !mode.startsInPlace, slot != 0 || !mode.startsFirstSlot {
            return .refuse(
                .mcubootFile.modeUnfit,
                mode.startsFirstSlot
                    ? "the file is linked for slot \(slot), and the bootloader starts images from slot 0"
                    : "the file is a variant for a bootloader with direct-XIP")
        }
        let isForRAM = [.ramLoad, .singleSlotRAMLoad].contains(mode)
        guard isForRAM == image.header.flags.contains(.ramLoad) else {
            return .refuse(
                .mcubootFile.modeUnfit,
                isForRAM ? "the image has no address in RAM to load to" : "the image has to be loaded to RAM")
        }
        // Bootloaders compare the slot only with an address in the header; an image without one may have been linked
        // for the other slot, and would crash.
        if mode.startsInPlace, part.slot == nil, !image.header.flags.contains(.romFixed) {
            return .needs(
                "the slot that the image was linked for (by its ROM address, or in a package with slots)")
        }
        return .pass
    }

    private func versionAnswer(_ image: MCUbootImage, _ device: TargetDevice) -> Answer {
        let mode = BootloaderMode(device)
        guard let text = device.version else {
            return mode?.picksHighestVersion == true ? .needs("version") : .pass
        }
        guard let installed = ImageVersion(text) else { return .needs("a version such as 1.2.3") }
        let version = image.header.version
        if version == installed, let answer = sameVersionAnswer(image, device, mode) { return answer }
        let isAbove = installed.isBelow(version)
        guard !isAbove, version.isBelow(installed) || mode?.picksHighestVersion == true else { return .pass }
        return .refuse(.finding.downgrade, "version \(version) is not above the installed \(installed)")
    }

    /// The answer for an image with the installed version. Beacons install it if its hash is another one, unless the
    /// bootloader starts the highest version: then nil, because the versions decide.
    private func sameVersionAnswer(
        _ image: MCUbootImage, _ device: TargetDevice, _ mode: BootloaderMode?
    ) -> Answer? {
        let installed = device["image_hash"]?.lowercased()
        if let installed, image.hash.map({ HexText.encode($0) }) == installed {
            return .refuse(
                .finding.targetUpToDate,
                "version \(image.header.version) with this hash is installed already")
        }
        if mode?.picksHighestVersion == true { return nil }
        if installed == nil { return .needs("image_hash, because the installed version is the image's") }
        return mode == nil ? .needs("mode") : .pass
    }

    private func counterAnswer(_ image: MCUbootImage, _ device: TargetDevice) -> Answer {
        guard let kept = device.number("security_counter") else {
            return image.securityCounter == nil ? .pass : .needs("security_counter")
        }
        guard let counter = image.securityCounter else {
            return .refuse(
                .mcubootFile.securityCounterLow, "the image has no security counter, the target \(kept)")
        }
        guard counter < kept else { return .pass }
        return .refuse(
            .mcubootFile.securityCounterLow, "the security counter is \(counter), the target has \(kept)")
    }

    /// A key hash can only show that the image names another key; to check the signature, the key itself is needed.
    private func keyAnswer(_ image: MCUbootImage, _ device: TargetDevice, _ key: SignatureKey?) -> Answer {
        guard !image.signatures.isEmpty else {
            return .refuse(.mcubootFile.unsigned, "the image has no signature")
        }
        if let text = device["key_hash"]?.lowercased() {
            func isHashed(_ der: [UInt8]) -> Bool {
                SHA2.allCases.contains { HexText.encode($0.digest(der)) == text }
            }
            let isNamed = image.signatures.contains { signature in
                switch signature.key {
                case nil: !image.namesKeys
                case .hash(let hash): HexText.encode(hash) == text
                case .publicKey(let der): isHashed(der)
                }
            }
            guard isNamed else {
                return .refuse(.mcubootFile.otherKey, "the image is signed with another key")
            }
            // The signature that the given key checks may be another one than the bootloader's.
            if let key, !isHashed(key.rsaPublicKey ?? key.der) {
                return .needs("the public key with this key_hash")
            }
        }
        switch key.flatMap({ image.verdict(by: $0) }) {
        case nil: return .needs("public-key")
        case .valid: return .pass
        case .wrong: return .refuse(.mcubootFile.signatureWrong, "the signature does not match the image")
        case .otherKey: return .refuse(.mcubootFile.otherKey, "the image is signed with another key")
        case .unchecked(let reason):
            return .refuse(.mcubootFile.signatureUncheckable, "the signature cannot be checked: \(reason)")
        }
    }
}

extension BootloaderMode {
    fileprivate init?(_ device: TargetDevice) {
        guard let number = device["mode"].flatMap({ Self.words.firstIndex(of: $0) }) else { return nil }
        self.init(rawValue: number)
    }

    fileprivate var startsInPlace: Bool { self == .directXIP || self == .directXIPWithRevert }
    /// Whether the bootloader starts images only from the first slot, into which it swaps or copies them.
    fileprivate var startsFirstSlot: Bool {
        [.swapUsingScratch, .swapUsingMove, .swapUsingOffset, .overwriteOnly].contains(self)
    }
    /// Whether the bootloader starts the image with the highest version, and not the one that was marked.
    fileprivate var picksHighestVersion: Bool { startsInPlace || self == .ramLoad }

    /// The size of a flash sector in most beacons, in bytes.
    fileprivate static let usualSectorBytes = 4096

    /// The minimum size of the trailer: the magic, and flags of 8 bytes each; the state of a swap needs more, depending on
    /// the flash. `sectors` at the end of the slot are lost to images: one for the trailer, and with some modes one to
    /// move the image.
    fileprivate var trailer: (leastBytes: Int, sectors: Int) {
        switch self {
        case .swapUsingMove, .swapUsingOffset: (48, 2)
        case .swapUsingScratch: (48, 1)
        case .overwriteOnly, .directXIPWithRevert: (32, 1)
        case .directXIP, .ramLoad, .singleSlot, .singleSlotRAMLoad, .firmwareLoader: (0, 0)
        }
    }
}

extension Answer {
    fileprivate static func refuse(_ code: FailureCode, _ words: String) -> Answer {
        .refuse(id: code, code: nil, words)
    }
}
