import Bytes

/// The header of an MCUboot image, 32 bytes, little-endian (docs/formats/mcuboot.md, Header).
///
///      0  u32  magic, 96F3B83D                12  u32  bytes of the body
///      4  u32  address to load to, or of slot 16  u32  flags
///      8  u16  bytes of the header            20       version: u8 major, u8 minor, u16 revision, u32 build
///     10  u16  bytes of the protected TLVs    28  u32  padding
package struct ImageHeader: Hashable, Sendable {
    /// The address to load to (``ImageFlags/ramLoad``) or of the slot (``ImageFlags/romFixed``); 0 in other images.
    package let loadAddress: UInt32
    /// Bytes from the start of the file to the body; more than 32 where the body has to be aligned.
    package let headerBytes: UInt16
    /// Bytes of the protected TLV area with its header of four bytes; 0 if there is no such area.
    package let protectedBytes: UInt16
    package let bodyBytes: UInt32
    package let flags: ImageFlags
    package let version: ImageVersion

    /// Bytes of the fixed part of the header.
    static let size: UInt16 = 32
    static let magic: UInt32 = 0x96F3_B83D
    static let beginning = magic.bytes()
    /// Offsets of fields, for findings.
    static let (bodyBytesOffset, flagsOffset, versionOffset) = (12, 16, 20)

    /// Parses a header whose magic the caller has checked.
    init(parsing reader: inout ByteReader) throws(ByteError) {
        _ = try reader.bytes("ih_magic", 4)
        loadAddress = try reader.integer("ih_load_addr")
        headerBytes = try reader.integer("ih_hdr_size")
        protectedBytes = try reader.integer("ih_protect_tlv_size")
        bodyBytes = try reader.integer("ih_img_size")
        flags = ImageFlags(rawValue: try reader.integer("ih_flags"))
        version = try ImageVersion(parsing: &reader)
        _ = try reader.bytes("_pad1", 4)
    }
}

package struct ImageFlags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let encryptedAES128 = ImageFlags(rawValue: 0x4)
    package static let encryptedAES256 = ImageFlags(rawValue: 0x8)
    /// A part of a split image, which does not start by itself.
    package static let nonBootable = ImageFlags(rawValue: 0x10)
    /// The bootloader copies the image to its load address.
    package static let ramLoad = ImageFlags(rawValue: 0x20)
    /// The load address is that of the only slot that the image runs from.
    package static let romFixed = ImageFlags(rawValue: 0x100)
    package static let lzma1 = ImageFlags(rawValue: 0x200)
    package static let lzma2 = ImageFlags(rawValue: 0x400)
    /// Arm Thumb code was rearranged before compression.
    package static let armThumbFilter = ImageFlags(rawValue: 0x800)

    static let encrypted: ImageFlags = [.encryptedAES128, .encryptedAES256]
    static let compressed: ImageFlags = [.lzma1, .lzma2, .armThumbFilter]

    private static let names: [(flag: ImageFlags, name: String)] = [
        (.encryptedAES128, "encrypted-aes128"), (.encryptedAES256, "encrypted-aes256"),
        (.nonBootable, "non-bootable"), (.ramLoad, "ram-load"), (.romFixed, "rom-fixed"), (.lzma1, "lzma1"),
        (.lzma2, "lzma2"), (.armThumbFilter, "arm-thumb-filter"),
    ]

    /// The names of the known flags that are set, in the order of their bits.
    package var words: [String] { Self.names.filter { contains($0.flag) }.map(\.name) }
    var unknown: UInt32 { subtracting(ImageFlags(Self.names.map(\.flag))).rawValue }
}
