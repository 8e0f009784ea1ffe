/// Recognises files other than ZIP archives by how they begin.
///
///     70 51, 70 61, 51 71   Dialog image (SDK 58x, 68x, 69x)
///     70 50, 70 52, 70 62, 50 70   start of a Dialog flash: bootloader or product header
///     DD 07 … E0 07, 46 42 … 55 50   Feasycom file, the vendor's and the open container (offset 0 and 30)
///     3D B8 F3 96           MCUboot image (magic 0x96F3B83D)
///     7F 45 4C 46           ELF
///     3A                    Intel HEX, then hexadecimal digits
enum FileSignature {
    /// What the file is, or nil when it has to be read as a ZIP file.
    static func recognise(_ file: [UInt8]) -> UnsupportedFile? {
        if file.isEmpty { return UnsupportedFile(.unknown, hint: "the file is empty") }
        if file.starts(with: [0x50, 0x4B, 0x03, 0x04]) || file.starts(with: [0x50, 0x4B, 0x05, 0x06]) {
            return nil
        }
        if let kind = binaryKind(file) { return UnsupportedFile(kind) }
        return text(file.prefix(512))
    }

    private static func binaryKind(_ file: [UInt8]) -> UnsupportedFile.Kind? {
        if file.starts(with: [0x7F, 0x45, 0x4C, 0x46]) { return .elf }
        if file.starts(with: [0x3D, 0xB8, 0xF3, 0x96]) { return .mcuboot }
        let ends = file.count >= 32 ? Array(file[30..<32]) : []
        switch (Array(file.prefix(2)), ends) {
        case ([0xDD, 0x07], [0xE0, 0x07]), ([0x46, 0x42], [0x55, 0x50]): return .fbeacon
        case ([0x70, 0x51], _), ([0x70, 0x61], _), ([0x51, 0x71], _): return .suota
        case ([0x70, 0x50], _), ([0x70, 0x52], _), ([0x70, 0x62], _), ([0x50, 0x70], _):
            return .dialogFlashImage
        default: return nil
        }
    }

    private static func text(_ start: ArraySlice<UInt8>) -> UnsupportedFile {
        let words = start.drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
        if words.first == UInt8(ascii: ":"), words.dropFirst().prefix(10).allSatisfy(\.isHexDigit) {
            return UnsupportedFile(.intelHex)
        }
        let lowered = String(decoding: words.prefix(64), as: UTF8.self).lowercased()
        if lowered.hasPrefix("<!doctype html") || lowered.hasPrefix("<html") {
            let hint = "this is a web page, not firmware: the download was probably a login or error page"
            return UnsupportedFile(.unknown, hint: hint)
        }
        return UnsupportedFile(.unknown)
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool { Character(UnicodeScalar(self)).isHexDigit }
}
