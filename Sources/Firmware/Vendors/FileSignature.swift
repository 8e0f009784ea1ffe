import Bytes
import UpdateModel

/// Recognises files that this program does not read, by their bytes.
///
///     7F 45 4C 46           ELF
///     55 46 32 0A           UF2
///     EB 17 A6 03           GBL (tag 0x03A617EB)
///     1E F1 EE 0B           Zigbee OTA (0x0BEEF11E)
///     3A                    Intel HEX, then hexadecimal digits
///     53                    S-records, then a digit for the type and hexadecimal digits
enum FileSignature {
    /// The kind of a file that no vendor reads; `lookalike` returns why it is not what its first bytes suggest.
    static func foreign(_ file: [UInt8], lookalike: () -> String?) -> UnsupportedFile {
        if file.isEmpty { return UnsupportedFile(.unknown, hint: "the file is empty") }
        if let known = magics.first(where: { file.starts(with: $0.bytes) }) {
            return UnsupportedFile(known.kind)
        }
        if hasUSBSuffix(file) { return UnsupportedFile(.usbDFU) }
        if isTapeArchive(file) { return UnsupportedFile(.archive) }
        if let text = text(file) { return text }
        if startsWithVectorTable(file) { return UnsupportedFile(.rawBinary) }
        return UnsupportedFile(.unknown, hint: PlainText.begins(file) ? nil : lookalike().map { Advice($0) })
    }

    private static let magics: [(bytes: [UInt8], kind: UnsupportedFile.Kind)] = [
        ([0x7F, 0x45, 0x4C, 0x46], .elf),
        (Array("DfuSe".utf8), .usbDFU),
        (Array("UF2\n".utf8), .uf2), ([0xEB, 0x17, 0xA6, 0x03], .gbl),
        ([0x1E, 0xF1, 0xEE, 0x0B], .zigbeeOTA),
        // U-Boot image, Broadcom's TRX, SquashFS, and the cpio archive of SWUpdate.
        ([0x27, 0x05, 0x19, 0x56], .gatewayFirmware), (Array("HDR0".utf8), .gatewayFirmware),
        (Array("hsqs".utf8), .gatewayFirmware), (Array("070701".utf8), .gatewayFirmware),
        (Array("070702".utf8), .gatewayFirmware),
        // gzip, xz, bzip2, Zstandard, 7z, RAR.
        ([0x1F, 0x8B, 0x08], .archive), ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], .archive),
        (Array("BZh".utf8), .archive), ([0x28, 0xB5, 0x2F, 0xFD], .archive),
        ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], .archive), (Array("Rar!".utf8), .archive),
    ]

    /// Whether the file is a tar file, whose signature is in the header of its first entry.
    private static func isTapeArchive(_ file: [UInt8]) -> Bool {
        file.count >= 262 && file[257..<262].elementsEqual("ustar".utf8)
    }
}

extension FileSignature {
    /// Whether the file is text in another encoding than ASCII: with a byte order mark, in UTF-16, or in UTF-8
    /// with other letters. No vector table begins like that.
    static func isForeignText(_ file: [UInt8]) -> Bool {
        let head = Array(file.prefix(512))
        let marks: [(bytes: [UInt8], isWide: Bool)] = [
            ([0xEF, 0xBB, 0xBF], false), ([0xFF, 0xFE], true), ([0xFE, 0xFF], true),
        ]
        if let mark = marks.first(where: { head.starts(with: $0.bytes) }) {
            let rest = Array(head.dropFirst(mark.bytes.count))
            return mark.isWide ? isWideText(rest) : PlainText.begins(rest)
        }
        if isWideText(head) { return true }
        guard head.count >= 64, !PlainText.begins(head) else { return false }
        // The beginning that is examined may end inside a character.
        return (0...3).contains { cut in
            guard let text = String(validating: head.dropLast(cut), as: UTF8.self) else { return false }
            return text.unicodeScalars.allSatisfy {
                $0.value >= 0x20 && $0.value != 0x7F || $0.properties.isWhitespace
            }
        }
    }

    /// Whether every other byte is 0 and the rest is printable ASCII.
    private static func isWideText(_ head: [UInt8]) -> Bool {
        guard head.count >= 16 else { return false }
        return [0, 1].contains { zero in
            stride(from: zero, to: head.count, by: 2).allSatisfy { head[$0] == 0 }
                && PlainText.begins(stride(from: 1 - zero, to: head.count, by: 2).map { head[$0] })
        }
    }

    private static func text(_ file: [UInt8]) -> UnsupportedFile? {
        let words = file.prefix(512).drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
        let digits = words.dropFirst().prefix(10)
        if words.first == UInt8(ascii: ":"), digits.count >= 4, digits.allSatisfy(\.isHexDigit) {
            return hexFile(file)
        }
        // The shortest record has type, length, address and checksum.
        if words.first == UInt8(ascii: "S"), digits.first.map({ (0x30...0x39).contains($0) }) == true,
            digits.prefix(while: \.isHexDigit).count >= 9
        {
            return UnsupportedFile(.sRecord)
        }
        if words.starts(with: "-----BEGIN ".utf8) { return UnsupportedFile(.key) }
        let lowered = String(decoding: words.prefix(64), as: UTF8.self).lowercased()
        let isPage = ["<!doctype html", "<html", "<head", "<?xml", "<error"].contains {
            lowered.hasPrefix($0)
        }
        if isPage {
            let hint: Advice =
                "this is a web page, not firmware: the download was probably a login or error page"
            return UnsupportedFile(.unknown, hint: hint)
        }
        if lowered.hasPrefix("{") || lowered.hasPrefix("version https://git-lfs") {
            let hint: Advice =
                "this is a text file, not firmware: perhaps a server's error message, or a pointer to the file"
            return UnsupportedFile(.unknown, hint: hint)
        }
        return nil
    }

    private static func hexFile(_ file: [UInt8]) -> UnsupportedFile {
        do throws(HexError) {
            let hex = try IntelHexFile(parsing: file)
            let places = hex.regions.prefix(4).map { HexText.number($0.address) }
            let more = hex.regions.count > places.count ? " and more" : ""
            let found = "\(hex.dataBytes) bytes at \(places.joined(separator: ", "))\(more)"
            return UnsupportedFile(.intelHex, found: places.isEmpty ? "no data" : found)
        } catch {
            return UnsupportedFile(.intelHex, found: "damaged, \(error)")
        }
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool { Character(UnicodeScalar(self)).isHexDigit }
}

extension FileSignature {
    /// Whether the first two words of a file can be those of a program for a Cortex-M: the initial stack pointer and
    /// the reset vector.
    private static func startsWithVectorTable(_ file: [UInt8]) -> Bool {
        var reader = ByteReader(file)
        guard let stack: UInt32 = try? reader.integer("initial stack pointer"),
            let reset: UInt32 = try? reader.integer("reset vector")
        else { return false }
        // The RAM of most chips, and of the DA14585 and DA14531, where the program is in RAM too.
        let ram: [Range<UInt32>] = [0x2000_0000..<0x2010_0001, 0x07FC_0000..<0x0800_0000]
        guard stack.isMultiple(of: 4), ram.contains(where: { $0.contains(stack) }) else { return false }
        // Thumb code: the lowest bit is set.
        return reset & 1 == 1 && (reset < 0x1000_0000 || ram.contains { $0.contains(reset) })
    }

    /// Whether a file ends like one for DFU over USB (Device Firmware Upgrade 1.1, appendix B), by the mark, the length
    /// and the checksum in its last 16 bytes:
    ///
    ///      0  2  device's release      6  2  version of the format
    ///      2  2  product               8  3  55 46 44, "UFD"
    ///      4  2  vendor               11  1  length, 16
    ///     12  4  CRC-32 of all bytes before it, without the final inversion
    private static func hasUSBSuffix(_ file: [UInt8]) -> Bool {
        guard file.count > 16, file.suffix(8).starts(with: [0x55, 0x46, 0x44, 16]) else { return false }
        var reader = ByteReader(file.suffix(4), startingAt: file.count - 4)
        return (try? reader.integer("CRC-32", as: UInt32.self)) == ~CRC32.checksum(file.dropLast(4))
    }
}
