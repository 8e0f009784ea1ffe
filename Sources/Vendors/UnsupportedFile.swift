/// A file that was recognised, but is no package that this program installs.
public struct UnsupportedFile: Error, Hashable, Sendable {
    /// The kind, by its name in JSON output.
    public enum Kind: String, Hashable, Sendable {
        /// A package of Nordic's Legacy DFU.
        case nordicLegacy = "nordic-legacy"
        /// An image or a package for MCUboot.
        case mcuboot
        /// A ZIP file without a manifest.
        case zip
        /// Intel HEX text.
        case intelHex = "intel-hex"
        /// An executable of a linker.
        case elf
        /// An image that Dialog's SUOTA service takes.
        case suota
        /// The content of a Dialog chip's whole flash.
        case dialogFlashImage = "dialog-flash-image"
        /// A Feasycom file.
        case fbeacon
        /// Anything else.
        case unknown
    }

    /// What the file is.
    public let kind: Kind
    /// What a person can do about it, one line.
    public let hint: String

    init(_ kind: Kind, hint: String? = nil) {
        self.kind = kind
        self.hint = hint ?? kind.hint
    }
}

extension UnsupportedFile: CustomStringConvertible {
    /// One line for people: the kind and the way out.
    public var description: String { "\(kind.rawValue): \(hint)" }
}

extension UnsupportedFile.Kind {
    fileprivate var hint: String {
        switch self {
        case .nordicLegacy:
            "this package is for Legacy DFU (nRF5 SDK 11 and earlier); only secure packages are read"
        case .mcuboot: "update the device over SMP, for example with mcumgr; its bootloader is not Nordic's"
        case .zip: "a Nordic package has a manifest.json at its root; nrfutil pkg generate makes one"
        case .intelHex: "a hex file carries no version or signature; make a package with nrfutil pkg generate"
        case .elf: "convert it with objcopy -O ihex, then make a package with nrfutil pkg generate"
        case .suota: "this is a Dialog SUOTA image"
        case .dialogFlashImage: "this is a whole flash; SUOTA takes the single image (.img) inside it"
        case .fbeacon: "this is a Feasycom file"
        case .unknown: "the content is no firmware format that we know; check that the download is complete"
        }
    }
}
