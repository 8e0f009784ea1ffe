import Bytes

/// The slot of an image, and the trailer at its end for the bootloader.
///
/// A filled slot ends with the trailer of MCUboot: the state of a swap, some flags of `maximumAlignment`
/// bytes each, and a magic number of 16 bytes (docs/formats/mcuboot.md, Padding).
package struct ImageSlot: Hashable, Sendable {
    /// How the image is padded to the end of the slot.
    package enum Filling: Sendable {
        /// No padding: the image is only checked against the slot's size.
        case none
        /// Padding, and the trailer with which the image is installed for a test.
        case trailer
        /// Padding, and the trailer with which the image is installed for good.
        case confirmed
    }

    /// The write sizes of flash that MCUboot supports, in bytes.
    package static let alignments = [1, 2, 4, 8, 16, 32]

    package var bytes: Int
    package var filling = Filling.none
    /// The write size of the flash, in bytes.
    package var alignment = 1
    /// The larger of both slots' write sizes, in bytes; nil for that of this slot, but at least 8.
    package var maximumAlignment: Int?
    /// The number of sectors for which the trailer has records of a swap.
    package var sectors: UInt16 = 128
    /// Whether the bootloader copies the image without a swap, which needs no records.
    package var isOverwritten = false

    package init(bytes: Int) { self.bytes = bytes }

    private var unit: Int { maximumAlignment ?? max(8, alignment) }
    /// The bytes of the magic number, rounded up to `unit`.
    private var magicBytes: Int { (16 + unit - 1) / unit * unit }

    private var trailerBytes: Int {
        isOverwritten
            ? 2 * unit + magicBytes
                // Three records per sector; four units for "confirmed", "copied", size and kind of the swap; the magic.
            : Int(sectors) * 3 * alignment + 4 * unit + magicBytes
    }

    /// The image, padded with `erased` according to `filling`. Throws if image and trailer do not fit.
    func filled(with image: [UInt8], erased: UInt8) throws(MCUbootRecipeError) -> [UInt8] {
        guard Self.alignments.contains(alignment), Self.alignments.contains(unit), unit >= max(8, alignment)
        else { throw .alignment(Self.alignments.contains(alignment) ? unit : alignment) }
        guard (0...Self.limit).contains(bytes), image.count <= bytes - trailerBytes else {
            throw .slotTooSmall(image: image.count, trailer: trailerBytes, slot: bytes)
        }
        guard filling != .none else { return image }
        let magic = ImagePadding.magic(alignment: unit)
        var slot = image + [UInt8](repeating: erased, count: bytes - image.count - magic.count) + magic
        // The flag before the magic number: 1 for an image to be kept. A copy without a swap needs none.
        if filling == .confirmed, !isOverwritten { slot[bytes - magicBytes - unit] = 1 }
        return slot
    }

    /// The largest slot, in bytes: more than any beacon has.
    package static let limit = 64 << 20
}
