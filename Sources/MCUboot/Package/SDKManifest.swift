package import Bytes
package import UpdateModel

/// `manifest.json` of a package of the nRF Connect SDK: its files, and the images and slots that they are for
/// (docs/formats/mcuboot.md, Package).
///
///     { "format-version": 0 or 1, "name"?: text, "time"?: n, "files": [ {
///         "file": text, "size"?: n, "type"?: "application" or "mcuboot", "board"?: text, "soc"?: text,
///         "load_address"?: n or text, "image_index"?: text or n, "image"?: text or n, "slot"?: text or n,
///         "version_MCUBOOT"?: text, "version_MCUBOOT+XIP"?: text, "version"?: text or n } ] }
package struct SDKManifest: Hashable, Sendable {
    package struct File: Hashable, Sendable {
        package let name: String
        package let size: Int?
        package let board: String?
        package let soc: String?
        package let loadAddress: Int?
        package let image: Int
        /// The image's slot, 0 or 1, that the file was linked for; nil if it runs from any.
        package var slot: Int?
        package let version: String?
        /// Whether it is a variant for a bootloader that starts images where they are (direct-XIP).
        package let isDirectXIP: Bool
        package let isBootloader: Bool
        /// The type, as JSON, if it is neither `application` nor `mcuboot`; nil if it is one of these, or missing.
        package let unknownType: String?
    }

    package let formatVersion: Int
    package let name: String?
    /// When the package was built, in seconds since 1970; 0 or nil if that is not known.
    package let time: UInt32?
    package let files: [File]

    package static let fileName = "manifest.json"
    /// The largest manifest that is read, in bytes; real ones have one or two thousand.
    static let limit = 64 << 10
    /// The allowed numbers of images: Zephyr has at most eight.
    static let imageNumbers = 0...7

    /// The value of a manifest of the SDK, and its text as JSON; nil for other manifests, and for invalid JSON.
    static func value(of text: [UInt8]) -> (value: JSONValue, text: [UInt8])? {
        for text in [text, ManifestText.withDecimals(text)] {
            guard let value = try? JSONValue(json: text) else { continue }
            let isOfSDK =
                value["manifest"] == nil && (value["files"] != nil || value["format-version"] != nil)
            return isOfSDK ? (value, text) : nil
        }
        return nil
    }

    /// Why a manifest of the SDK is not valid JSON; nil if it is, and for other texts. The usual cause is a comma after
    /// the last member.
    static func syntaxError(in text: [UInt8]) -> String? {
        let words = String(decoding: text, as: UTF8.self)
        let isOfSDK =
            !words.contains("\"manifest\"") && words.contains("\"files\"")
            && ["\"format-version\"", "\"image_index\"", "\"load_address\""].contains(where: words.contains)
        guard isOfSDK else { return nil }
        do {
            _ = try JSONValue(json: ManifestText.withDecimals(text))
            return nil
        } catch { return "\(error)" }
    }

    init(_ value: JSONValue) throws(SDKPackageError) {
        let version = value["format-version"]
        guard version == nil || [0, 1].contains(version?.integer) else {
            throw .formatVersion(String((version?.json ?? "").prefix(40)))
        }
        formatVersion = version?.integer ?? 0
        name = value["name"]?.text
        time = value["time"]?.integer.flatMap { UInt32(exactly: $0) }
        guard let list = value["files"]?.list else { throw .field("files", "is not a list") }
        guard !list.isEmpty else { throw .withoutFiles }
        var files: [File] = []
        for (index, entry) in list.enumerated() { files.append(try File(entry, at: "files[\(index)]")) }
        self.files = try Self.assigningSlots(to: files)
    }

    /// The files with their slots; throws if two are for the same slot. Packages of the bootloader before SDK 3.0, and
    /// old ones for direct-XIP, name no slots: their two variants are in the order of the slots.
    private static func assigningSlots(to files: [File]) throws(SDKPackageError) -> [File] {
        var files = files
        for image in Set(files.map(\.image)) {
            let variants = files.indices.filter {
                files[$0].image == image && files[$0].slot == nil
                    && (files[$0].isBootloader || files[$0].isDirectXIP)
            }
            if variants.count == 2 { for (slot, index) in variants.enumerated() { files[index].slot = slot } }
        }
        for (index, file) in files.enumerated() {
            guard
                let other = files[..<index].first(where: {
                    $0.image == file.image && ($0.slot == file.slot || $0.slot == nil || file.slot == nil)
                        || $0.name == file.name
                })
            else { continue }
            guard other.name != file.name else { throw .listedTwice(file.name) }
            throw .sameSlot(other.name, file.name)
        }
        return files
    }
}

extension SDKManifest.File {
    init(_ value: JSONValue, at place: String) throws(SDKPackageError) {
        func number(_ key: String, in range: ClosedRange<Int>) throws(SDKPackageError) -> Int? {
            guard let member = value[key], member != .null else { return nil }
            let number = member.integer ?? member.text.flatMap { Int(decimalOrHexadecimal: $0) }
            guard let number, range.contains(number) else {
                throw .field(
                    "\(place).\(key)",
                    "is \(member.json.prefix(40)), not a number from \(range.lowerBound) to "
                        + "\(range.upperBound)")
            }
            return number
        }
        guard case .object = value else { throw .field(place, "is not an object") }
        guard let name = value["file"]?.text, !name.isEmpty else {
            throw .field("\(place).file", "is missing")
        }
        guard !name.contains("/"), !name.contains("\\"), !name.contains("..") else {
            throw .field("\(place).file", "is \(JSONValue.text(name).json); packages have no folders")
        }
        let type = value["type"]?.text
        if ["suit-envelope", "cache"].contains(type) || name.hasSuffix(".suit") { throw .suit(name) }
        self.name = name
        isBootloader = type == "mcuboot"
        unknownType = value["type"].flatMap {
            [nil, "application", "mcuboot"].contains($0.text) && ($0.text != nil || $0 == .null)
                ? nil : String($0.json.prefix(40))
        }
        size = value["size"]?.integer ?? value["size"]?.text.flatMap { Int(decimalOrHexadecimal: $0) }
        (board, soc) = (value["board"]?.text, value["soc"]?.text)
        loadAddress = try number("load_address", in: 0...Int(UInt32.max))
        let index = try number("image_index", in: SDKManifest.imageNumbers)
        let image = try number("image", in: SDKManifest.imageNumbers)
        if let index, let image, index != image {
            throw .field("\(place).image", "is \(image), but image_index is \(index)")
        }
        self.image = index ?? image ?? 0
        // Builds number the slots of all images: those of image 1 are 2 and 3.
        let first = 2 * self.image
        let slot = try number("slot", in: 0...first + 1)
        if let slot, slot > 1, slot < first {
            throw .field("\(place).slot", "is \(slot), which is a slot of another image")
        }
        self.slot = slot.map { $0 >= first ? $0 - first : $0 }
        let directXIP = value["version_MCUBOOT+XIP"]
        isDirectXIP = directXIP != nil
        // For a network core without MCUboot, `version` is a plain number, which is not an image's version.
        let plain = value["version"]?.text.flatMap { $0.contains(".") ? $0 : nil }
        let named = (directXIP ?? value["version_MCUBOOT"])?.text ?? plain
        version = named?.isEmpty == true ? nil : named
    }
}

package enum SDKPackageError: Error, Equatable, Sendable {
    case archive(ArchiveError)
    /// The manifest is not valid JSON, for the given reason.
    case manifest(String)
    /// The path of the field, and what is wrong with it.
    case field(String, String)
    case formatVersion(String)
    case withoutFiles
    /// Two files are for the same slot of the same image.
    case sameSlot(String, String)
    case listedTwice(String)
    /// The package is for SUIT, as the file with this name shows.
    case suit(String)
    case missing(String)
    case image(MCUbootImageError, entry: String)

    package var code: FailureCode {
        switch self {
        case .archive(let error): error.code
        case .manifest, .field: .mcubootPackage.manifestInvalid
        case .formatVersion: .mcubootPackage.formatVersion
        case .withoutFiles: .mcubootPackage.withoutFiles
        case .sameSlot, .listedTwice: .mcubootPackage.slotTwice
        case .suit: .mcubootPackage.suit
        case .missing: .file.entryMissing
        case .image(let error, _): error.code
        }
    }
}

extension FirmwareFileError {
    init(_ error: SDKPackageError) {
        func refusal(_ field: String?, _ cause: String) -> FirmwareFileError {
            let place = Finding.Place(entry: SDKManifest.fileName, field: field)
            return FirmwareFileError(error.code, at: place, cause: cause, "\(place): \(cause)")
        }
        switch error {
        case .archive(let error):
            self.init(
                error.code, at: Finding.Place(entry: error.entry, offset: error.offset), cause: error.cause,
                "\(error)")
        case .image(let error, let entry): self.init(error, in: entry)
        case .manifest(let words): self = refusal(nil, words)
        case .field(let field, let words): self = refusal(field, words)
        case .formatVersion(let version): self = refusal("format-version", "is \(version), known are 0 and 1")
        case .withoutFiles: self = refusal("files", "is empty")
        case .sameSlot(let first, let second):
            self = refusal("files", "\(first) and \(second) are for the same slot of the same image")
        case .listedTwice(let name): self = refusal("files", "\(name) is there twice")
        case .suit(let name):
            self = refusal(
                nil, "\(name) is for SUIT, the updates of the nRF54H20, which this program does not support")
        case .missing(let name): self = refusal("files", "\(name) is not in the archive")
        }
    }
}
