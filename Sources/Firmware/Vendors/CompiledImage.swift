public import Bytes
public import UpdateModel

/// Firmware to be packaged: the output of a compiler or `objcopy`, recognised by its content.
public enum CompiledImage: Sendable {
    /// Intel HEX: bytes with their addresses.
    case hex(IntelHexFile)
    /// Bytes without addresses.
    case binary([UInt8])

    /// Accepts Intel HEX and plain binaries. Files known to be something else are refused: their packages would be
    /// installed, but never start.
    public init(recognising file: [UInt8]) throws(CompiledImageError) {
        guard !file.isEmpty else { throw .empty }
        guard !FileSignature.isForeignText(file) else { throw .text }
        guard case .unsupported(let foreign) = try? PackageFile(recognising: file) else { throw .package }
        switch foreign.kind {
        case .intelHex:
            do { self = .hex(try IntelHexFile(parsing: file)) } catch { throw .hex(error) }
        case .rawBinary: self = .binary(file)
        case .unknown where !PlainText.begins(file): self = .binary(file)
        default: throw .foreign(foreign)
        }
    }

    /// The image for a Nordic package: a multiple of 4 bytes, padded with FF, without the master boot record and
    /// registers of Intel HEX.
    public func confinedImage() throws(CompiledImageError) -> [UInt8] {
        switch self {
        case .hex(let hex):
            do { return try hex.confinedImage().bytes } catch { throw .hex(error) }
        case .binary(let bytes):
            return bytes + [UInt8](repeating: 0xFF, count: -bytes.count & 3)
        }
    }

    /// The gaps filled with FF that may be unintended: those of 16 KiB and more, and any before a bootloader's
    /// settings; with `isConfined` in the image for a Nordic package, otherwise in all bytes.
    public func gaps(ofConfined isConfined: Bool) -> [HexGap] {
        guard case .hex(let hex) = self else { return [] }
        return (isConfined ? hex.withoutRegisters : hex).gaps(ofAtLeast: 1)
            .filter { $0.bytes >= 0x4000 || $0.isBeforeSettings }
    }

    /// All bytes, of Intel HEX from the lowest address to the highest with FF in the gaps.
    public func flatImage() throws(CompiledImageError) -> [UInt8] {
        switch self {
        case .hex(let hex):
            do { return try hex.flattened().bytes } catch { throw .hex(error) }
        case .binary(let bytes): return bytes
        }
    }
}

/// Why a file cannot be packaged.
public enum CompiledImageError: Error, Hashable, Sendable {
    /// It has no bytes.
    case empty
    /// It is a package or an image with a header, or a broken one.
    case package
    /// It is text in another encoding than ASCII, such as Intel HEX in UTF-16.
    case text
    /// It is damaged Intel HEX.
    case hex(HexError)
    /// It is a file of another known kind.
    case foreign(UnsupportedFile)

    public var code: FailureCode {
        switch self {
        case .empty: .file.fileEmpty
        case .hex: .file.hexInvalid
        case .package, .text, .foreign: .file.notAnImage
        }
    }
}

extension CompiledImageError: CustomStringConvertible {
    /// One line for people.
    public var description: String {
        switch self {
        case .empty: "the file is empty"
        case .package: "this is already a package or an image with a header; `inspect` shows its content"
        case .text:
            "this is text in UTF-16 or another encoding, which would be packaged as if it were the program; "
                + "save Intel HEX as plain ASCII"
        case .hex(let error): "\(error)"
        case .foreign(let file): "\(file)"
        }
    }
}
