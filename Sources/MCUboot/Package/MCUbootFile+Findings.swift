package import Bytes
package import UpdateModel

extension MCUbootFile {
    /// What beacons refuse in the file, and what people should know about it, errors first; `key` checks the signatures.
    package func findings(key: SignatureKey?) -> [Finding] {
        let images = parts.flatMap { part in
            part.image.findings(
                key: key, entry: part.file?.name, part: partName(part), sendsTrailer: part.sendsTrailer)
        }
        return (images + hexFindings + parts.flatMap(manifestFindings) + dependencyFindings + packageFindings)
            .errorsFirst
    }

    func releaseFindings(key: SignatureKey?) -> [Finding] {
        let unchecked = parts.flatMap {
            $0.image.uncheckedFindings(key: key, entry: $0.file?.name, part: partName($0))
        }
        guard case .package(_, let unlisted) = container, !unlisted.isEmpty else { return unchecked }
        return unchecked + [
            Finding(
                .mcubootPackage.unlisted, .warning,
                "the manifest does not name \(unlisted.joined(separator: ", "))")
        ]
    }

    private func partName(_ part: MCUbootPart) -> String? { part.file == nil ? nil : part.name }

    private var hexFindings: [Finding] {
        guard case .hex(let address, let bytes) = container, bytes > 0 else { return [] }
        return [
            Finding(
                .mcubootFile.otherRegions, .note,
                "the file has \(bytes) bytes besides the image at \(HexText.number(address)); "
                    + "only the image is sent")
        ]
    }

    /// Contradictions between the manifest and a file.
    private func manifestFindings(_ part: MCUbootPart) -> [Finding] {
        guard let file = part.file else { return [] }
        var found: [Finding] = []
        func add(_ code: FailureCode, _ field: String, _ words: String) {
            let place = Finding.Place(entry: file.name, field: field)
            found.append(Finding(code, .warning, place, words, part: part.name))
        }
        if let size = file.size, size != part.image.bytes.count {
            add(
                .mcubootPackage.sizeDiffers, "size",
                "is \(size) in the manifest, but the file has \(part.image.bytes.count) bytes")
        }
        if let text = file.version, ImageVersion(text) != part.image.header.version {
            add(
                .mcubootPackage.versionDiffers, "version",
                "is \(text) in the manifest, but \(part.image.header.version) in the image")
        }
        if let type = file.unknownType {
            add(
                .mcubootPackage.typeUnknown, "type",
                "is \(type), which is neither application nor mcuboot; the file is sent as image \(part.number)"
            )
        }
        return found
    }

    private var dependencyFindings: [Finding] {
        parts.flatMap { part in
            part.image.dependencies.compactMap { needed in
                func finding(_ code: FailureCode, _ level: FindingLevel, _ words: String) -> Finding {
                    Finding(
                        code, level,
                        Finding.Place(entry: part.file?.name, offset: needed.offset, field: "dependency"),
                        "on image \(needed.image) of version \(needed.version) or later \(words)",
                        part: partName(part))
                }
                // The number of an image outside a package is unknown. Of several variants, the lowest version counts.
                let others = parts.filter {
                    $0.number == needed.image && $0.isBootloader == part.isBootloader
                }
                guard manifest != nil, let lowest = others.map(\.image.header.version).min() else {
                    return finding(
                        .mcubootPackage.dependencyOpen, .note,
                        "is left to the beacon: this file does not have it")
                }
                // Bootloaders compare the build number only if they were built for that.
                guard lowest.isBelow(needed.version) else { return nil }
                return finding(.mcubootPackage.dependencyUnmet, .error, "is not met: it is \(lowest)")
            }
        }
    }

    private var packageFindings: [Finding] {
        guard let manifest else { return [] }
        var found: [Finding] = []
        let files = manifest.files
        func add(_ code: FailureCode, _ level: FindingLevel, _ words: String) {
            found.append(Finding(code, level, words))
        }
        func add(_ code: FailureCode, on file: SDKManifest.File, _ field: String, _ words: String) {
            let place = Finding.Place(entry: file.name, field: field)
            found.append(Finding(code, .warning, place, words, part: parts.first { $0.file == file }?.name))
        }
        if files.contains(where: \.isBootloader) {
            add(
                .mcubootPackage.bootloader, .warning,
                files.allSatisfy(\.isBootloader)
                    ? "the package updates the bootloader itself, not the application"
                    : "the package also updates the bootloader itself")
        }
        for (number, variants) in Dictionary(grouping: files, by: \.image).sorted(by: { $0.key < $1.key }) {
            let images = parts.filter { $0.number == number }.map(\.image)
            if images.count == 2, images[0].runsFromSlot(of: images[1]) {
                add(
                    .mcubootPackage.slotTwice, .error,
                    "\(variants[0].name) and \(variants[1].name) are linked for the same slot, and named as "
                        + "variants for two; the wrong one does not start")
            }
            let versions = Set(images.map(\.header.version))
            if versions.count > 1 {
                let words = versions.sorted().map(\.description).joined(separator: " and ")
                add(
                    .mcubootPackage.variantsDiffer, on: variants[0], "ih_ver",
                    "and those of the other variants of image \(number) are \(words)")
            }
            guard variants.count == 1, let slot = variants[0].slot, !variants[0].isBootloader else {
                continue
            }
            add(
                .mcubootPackage.slotMissing, on: variants[0], "slot",
                "is \(slot), and image \(number) has no variant for slot \(1 - slot)")
        }
        let isNRF5340 = files.contains {
            "\($0.soc ?? "") \($0.board ?? "")".lowercased().contains("nrf5340")
        }
        if isNRF5340, !files.contains(where: { $0.image == 1 || $0.isBootloader }) {
            add(
                .mcubootPackage.networkCoreMissing, .note,
                "the package is for an nRF5340 and has no image for its network core")
        }
        return found
    }
}

extension MCUbootImage {
    /// Whether it is linked for the same slot as `other`: it is the same image, or has the same address.
    fileprivate func runsFromSlot(of other: MCUbootImage) -> Bool {
        hashedBytes == other.hashedBytes
            || header.flags.contains(.romFixed) && other.header.flags.contains(.romFixed)
                && header.loadAddress == other.header.loadAddress
    }
}
