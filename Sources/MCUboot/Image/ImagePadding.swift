import Bytes

/// What follows the last TLV of an image: nothing, filling, or MCUboot's trailer (docs/formats/mcuboot.md, Padding).
package enum ImagePadding: Hashable, Sendable {
    case none
    /// Only FF, as in erased flash, or only 0, for flash that is erased to 0.
    case fill(bytes: Int)
    /// Filling up to the trailer at the end of the slot, with which the bootloader installs the image at the next
    /// start: for a test, or for good (`isConfirmed`). `alignment` is the larger write size of both slots, in bytes.
    case trailer(bytes: Int, alignment: Int, isConfirmed: Bool)
    case other(bytes: Int)

    /// The 16 bytes of magic at the end of a trailer with this alignment.
    static func magic(alignment: Int) -> [UInt8] {
        alignment == 8
            ? [
                0x77, 0xC2, 0x95, 0xF3, 0x60, 0xD2, 0xEF, 0x7F, 0x35, 0x52, 0x50, 0x0F, 0x2C, 0xB6, 0x79,
                0x80,
            ]
            : UInt16(truncatingIfNeeded: alignment).bytes()
                + [0x2D, 0xE1, 0x5D, 0x29, 0x41, 0x0B, 0x8D, 0x77, 0x67, 0x9C, 0x11, 0x0F, 0x1F, 0x8A]
    }

    init(_ rest: ArraySlice<UInt8>) {
        let bytes = Array(rest)
        guard !bytes.isEmpty else {
            self = .none
            return
        }
        let erased: UInt8 = bytes[0] == 0 ? 0 : 0xFF
        guard bytes.contains(where: { $0 != erased }) else {
            self = .fill(bytes: bytes.count)
            return
        }
        self = .other(bytes: bytes.count)
        // Alignments are powers of two, in a u16.
        let alignments = (3...15).lazy.map { 1 << $0 }
        let end = bytes.suffix(16)
        guard let alignment = alignments.first(where: { end.elementsEqual(Self.magic(alignment: $0)) }) else {
            return
        }
        // The flag "image ok" takes one unit before the magic, which is rounded up to a unit.
        let place = bytes.count - max(end.count, alignment) - alignment
        let head = bytes.dropLast(end.count)
        let set = head.indices.filter { head[$0] != erased }
        guard set.isEmpty || set == [place] && head[place] == 1 else { return }
        self = .trailer(bytes: bytes.count, alignment: alignment, isConfirmed: !set.isEmpty)
    }

    /// Bytes after the last TLV.
    package var bytes: Int {
        switch self {
        case .none: 0
        case .fill(let bytes), .trailer(let bytes, _, _), .other(let bytes): bytes
        }
    }
}
