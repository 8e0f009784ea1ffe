package import Bytes
import UpdateModel

/// A file with one or several images for MCUboot: an image alone, in Intel HEX, or a package of the nRF Connect SDK.
package struct MCUbootFile: Hashable, Sendable {
    package enum Container: Hashable, Sendable {
        case image
        /// Intel HEX with the image at `address`, and `otherBytes` bytes of other programs.
        case hex(address: UInt32, otherBytes: Int)
        /// A package, with the files that its manifest does not name.
        case package(SDKManifest, unlisted: [String])
    }

    package let container: Container
    /// The images in sending order: those of the application last, so that an nRF5340 does not skip its network core.
    package let parts: [MCUbootPart]

    package init(_ image: MCUbootImage) {
        container = .image
        parts = [MCUbootPart(image)]
    }

    init(_ hex: SignedHexFile) {
        container = .hex(address: hex.address, otherBytes: hex.otherBytes)
        parts = [MCUbootPart(hex.image)]
    }

    /// The package in a ZIP file; nil if it is not one of the nRF Connect SDK, or if it cannot be opened: the code for
    /// other vendors' ZIP files reports such an error.
    package init?(package file: [UInt8], limits: ArchiveLimits = ArchiveLimits()) throws(SDKPackageError) {
        // The manifest decides; the images of other packages (most are Nordic's) are not inflated here.
        guard let unchecked = try? ZipReader(file, limits: limits, checkingEnds: false),
            let text = try? unchecked.contents(of: SDKManifest.fileName, atMost: SDKManifest.limit)
        else { return nil }
        let found = SDKManifest.value(of: text)
        let syntaxError = found == nil ? SDKManifest.syntaxError(in: text) : nil
        guard found != nil || syntaxError != nil, let archive = try? ZipReader(file, limits: limits) else {
            return nil
        }
        if let syntaxError { throw .manifest(syntaxError) }
        guard let found else { return nil }
        do { _ = try JSONValue(json: found.text, refusingDuplicates: true) } catch {
            throw .manifest("\(error)")
        }
        let manifest = try SDKManifest(found.value)
        var parts: [MCUbootPart] = []
        for file in manifest.files {
            guard archive.entry(named: file.name) != nil else { throw .missing(file.name) }
            let bytes: [UInt8]
            do { bytes = try archive.contents(of: file.name, atMost: limits.entryBytes) } catch {
                throw .archive(error)
            }
            if bytes.starts(with: SUITEnvelope.beginning) { throw .suit(file.name) }
            do { parts.append(MCUbootPart(try MCUbootImage(parsing: bytes), file)) } catch {
                throw .image(error, entry: file.name)
            }
        }
        let known = Set(manifest.files.map(\.name) + [SDKManifest.fileName])
        container = .package(manifest, unlisted: archive.entries.map(\.name).filter { !known.contains($0) })
        self.parts = parts.sorted { (-$0.number, $0.slot ?? 0) < (-$1.number, $1.slot ?? 0) }
    }

    package var manifest: SDKManifest? {
        if case .package(let manifest, _) = container { manifest } else { nil }
    }
}

/// An image in a file, with its entry in the manifest.
package struct MCUbootPart: Hashable, Sendable {
    package let image: MCUbootImage
    /// The entry in the manifest; nil outside a package.
    package let file: SDKManifest.File?

    init(_ image: MCUbootImage, _ file: SDKManifest.File? = nil) { (self.image, self.file) = (image, file) }

    /// The number of the image on the beacon.
    package var number: Int { file?.image ?? 0 }
    /// The image's slot, 0 or 1, that the file was linked for; nil if it runs from any.
    package var slot: Int? { file?.slot }
    package var isBootloader: Bool { file?.isBootloader ?? false }
    package var isApplication: Bool { number == 0 && !isBootloader }

    /// What the part is, for sentences.
    package var title: String {
        let name = file?.name ?? ""
        let hardware = "\(file?.board ?? "") \(file?.soc ?? "")".lowercased()
        if isBootloader { return "bootloader" }
        if number == 0 { return "application" }
        let isExternalFlash = name.hasSuffix(".external.bin")
        let isFor5340 = number == 1 && hardware.contains("nrf5340")
        if hardware.contains("cpunet") || isFor5340 && !isExternalFlash && name != "nrf70.bin" {
            return "network core"
        }
        if name == "nrf70.bin" { return "firmware of the Wi-Fi chip" }
        return isExternalFlash ? "external flash of the application" : "image \(number)"
    }

    /// The name of the part in a package: its title, and the slot of a variant.
    package var name: String { title + (slot.map { " for slot \($0)" } ?? "") }

    /// Whether the trailer is sent: bootloaders that start images where they are, and revert (direct-XIP), need it.
    var sendsTrailer: Bool { if case .trailer = image.padding { slot != nil } else { false } }

    /// The upload, without padding unless the trailer is sent; nil if the image has no hash, by which beacons name it.
    package var upload: ImageUpload? {
        guard let hash = image.hash else { return nil }
        var bytes = image.bytes
        if !sendsTrailer { bytes.removeLast(image.padding.bytes) }
        return ImageUpload(
            image: number, slot: slot, bytes: bytes, hash: hash, version: image.header.version, title: title,
            hasAddress: image.header.flags.contains(.romFixed), dependencies: image.dependencies)
    }
}

enum SUITEnvelope {
    /// CBOR tag 107, the mark of an envelope.
    static let beginning: [UInt8] = [0xD8, 0x6B]

    /// Whether a file is an envelope: after the tag there is a map.
    static func begins(_ file: [UInt8]) -> Bool {
        file.starts(with: beginning) && file.count > 2 && (0xA1...0xBF).contains(file[2])
    }
}
