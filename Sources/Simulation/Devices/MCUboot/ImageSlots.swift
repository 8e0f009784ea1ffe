import Bytes

struct ImageSlot: Hashable, Sendable {
    let image: Int
    let slot: Int

    var other: ImageSlot { ImageSlot(image: image, slot: 1 - slot) }
    /// The slot's number over all images: 0 and 1 for image 0, 2 and 3 for image 1.
    var number: Int { image * 2 + slot }
}

/// The layout of the simulated flash; it is our own.
///
///     page 0   storage: key of the bond, security counters
///     page 1   progress of an exchange of images
///     then     the slots, in the order of their numbers
struct SlotLayout: Hashable, Sendable {
    static let page = FlashModel.pageSize

    let images: Int
    let slotSize: Int

    var flashSize: Int { 2 * Self.page + 2 * images * slotSize }
    func start(_ slot: ImageSlot) -> Int { 2 * Self.page + slot.number * slotSize }
    /// The size in bytes of the largest image that leaves room for the trailer.
    var largestImage: Int { slotSize - Self.page }
}

/// The trailer at the end of a slot, with an alignment of 8 bytes (mcuboot.md, Padding and trailer). Offsets are
/// counted backwards from the end of the slot.
struct SlotTrailer: Hashable, Sendable {
    enum Magic: Hashable, Sendable { case good, unset, bad }

    static let magic: [UInt8] = [
        0x77, 0xC2, 0x95, 0xF3, 0x60, 0xD2, 0xEF, 0x7F, 0x35, 0x52, 0x50, 0x0F, 0x2C, 0xB6, 0x79, 0x80,
    ]
    static let size = 48
    static let imageOKOffset = 24
    static let copyDoneOffset = 32

    let magic: Magic
    let isImageOK: Bool
    let isCopyDone: Bool

    init(_ bytes: [UInt8]) {
        let end = bytes.suffix(16)
        magic = end.elementsEqual(Self.magic) ? .good : end.allSatisfy { $0 == 0xFF } ? .unset : .bad
        isImageOK = bytes.suffix(Self.imageOKOffset).first == 1
        isCopyDone = bytes.suffix(Self.copyDoneOffset).first == 1
    }
}

/// What the bootloader does with the two slots of an image number at the next start.
enum SwapType: UInt8, Hashable, Sendable { case none = 1, test, permanent, revert }

/// An exchange that is under way: after a power loss the bootloader continues it.
struct SwapProgress: Hashable, Sendable {
    let image: Int
    let type: SwapType
    var done: Int
    let pages: Int
}

/// The slots of a device, their trailers, and the storage, all in one flash.
struct ImageSlots: Sendable {
    let layout: SlotLayout
    var flash: FlashModel

    init(_ description: MCUbootDescription) {
        layout = description.layout
        flash = FlashModel(timing: description.timing, capacity: .max, cells: .bytes)
        for (image, pair) in description.images.prefix(layout.images).enumerated() {
            for (slot, file) in [pair.first, pair.second].enumerated() {
                let place = ImageSlot(image: image, slot: slot)
                if let file { flash.place(Array(file.prefix(layout.slotSize)), at: layout.start(place)) }
            }
            if description.bootloader.mode == .directXIPRevert { confirm(ImageSlot(image: image, slot: 0)) }
        }
        if description.isBonded { bond = 1 }
    }

    func content(_ slot: ImageSlot, _ range: Range<Int>) -> [UInt8] {
        let start = layout.start(slot)
        return flash.content(start + range.lowerBound..<start + range.upperBound)
    }

    func image(_ slot: ImageSlot) -> MCUbootImage? { MCUbootImage(in: layout.slotSize) { content(slot, $0) } }

    /// The version field of the header, read even if the slot holds no header: 255.255.65535 in an erased slot.
    func headerVersion(_ slot: ImageSlot) -> MCUbootVersion { MCUbootVersion(content(slot, 20..<28)) }

    /// Whether all bytes of the slot are erased (0xFF).
    func isEmpty(_ slot: ImageSlot) -> Bool { content(slot, 0..<layout.slotSize).allSatisfy { $0 == 0xFF } }

    func trailer(_ slot: ImageSlot) -> SlotTrailer {
        SlotTrailer(content(slot, layout.slotSize - SlotTrailer.size..<layout.slotSize))
    }

    /// The swap type that the trailers of both slots request; the first rule that applies counts.
    func swapType(_ image: Int) -> SwapType {
        let first = trailer(ImageSlot(image: image, slot: 0))
        let second = trailer(ImageSlot(image: image, slot: 1))
        if second.magic == .good { return second.isImageOK ? .permanent : .test }
        let isTested = first.magic == .good && !first.isImageOK && first.isCopyDone
        return isTested && second.magic == .unset ? .revert : .none
    }
}

/// Changes that take no time here: the bootloader's, for whose time `MCUbootStart` accounts, and the factory's.
extension ImageSlots {
    private func place(_ offset: Int, of slot: ImageSlot) -> Int {
        layout.start(slot) + layout.slotSize - offset
    }

    mutating func erase(_ slot: ImageSlot) {
        flash.place([UInt8](repeating: 0xFF, count: layout.slotSize), at: layout.start(slot))
    }

    mutating func clearTrailer(_ slot: ImageSlot) {
        flash.place([UInt8](repeating: 0xFF, count: SlotTrailer.size), at: place(SlotTrailer.size, of: slot))
    }

    mutating func confirm(_ slot: ImageSlot) {
        flash.place(SlotTrailer.magic, at: place(16, of: slot))
        flash.place([1], at: place(SlotTrailer.imageOKOffset, of: slot))
        flash.place([1], at: place(SlotTrailer.copyDoneOffset, of: slot))
    }

    mutating func markCopyDone(_ slot: ImageSlot) {
        flash.place([1], at: place(SlotTrailer.copyDoneOffset, of: slot))
    }

    /// Exchanges the next page of two images.
    mutating func exchange(_ progress: SwapProgress) {
        let first = ImageSlot(image: progress.image, slot: 0)
        let range = progress.done * SlotLayout.page..<(progress.done + 1) * SlotLayout.page
        let (one, two) = (content(first, range), content(first.other, range))
        flash.place(two, at: layout.start(first) + range.lowerBound)
        flash.place(one, at: layout.start(first.other) + range.lowerBound)
        var next = progress
        next.done += 1
        self.progress = next
    }

    /// Copies a page of slot 1 to slot 0.
    mutating func copy(_ page: Int, of image: Int) {
        let first = ImageSlot(image: image, slot: 0)
        let start = page * SlotLayout.page
        flash.place(content(first.other, start..<start + SlotLayout.page), at: layout.start(first) + start)
    }

    /// Clears both trailers, which requested the copy, and the first page of slot 1, which holds the header.
    mutating func finishCopy(of image: Int) {
        let second = ImageSlot(image: image, slot: 1)
        clearTrailer(second.other)
        clearTrailer(second)
        flash.place([UInt8](repeating: 0xFF, count: SlotLayout.page), at: layout.start(second))
    }

    /// Writes the trailers at the end of an exchange.
    mutating func finish(_ image: Int, _ type: SwapType) {
        let first = ImageSlot(image: image, slot: 0)
        clearTrailer(first)
        clearTrailer(first.other)
        flash.place(SlotTrailer.magic, at: place(16, of: first))
        markCopyDone(first)
        if type != .test { flash.place([1], at: place(SlotTrailer.imageOKOffset, of: first)) }
        progress = nil
    }
}

/// Changes by the running application, which take the time of the flash operations.
extension ImageSlots {
    /// Writes the mark that lets the bootloader start `slot` next time; false if the slot's trailer is damaged.
    mutating func mark(_ slot: ImageSlot, confirming confirms: Bool, isXIP: Bool, at now: Duration) -> Bool {
        let trailer = trailer(slot)
        guard trailer.magic != .bad else { return false }
        if trailer.magic == .unset { write(SlotTrailer.magic, at: place(16, of: slot), now) }
        guard confirms else { return true }
        if isXIP, !trailer.isCopyDone { write([1], at: place(SlotTrailer.copyDoneOffset, of: slot), now) }
        if !trailer.isImageOK { write([1], at: place(SlotTrailer.imageOKOffset, of: slot), now) }
        return true
    }

    /// Confirms the image that runs from `slot`; without a trailer it counts as confirmed. False if that is damaged.
    mutating func confirmRunning(_ slot: ImageSlot, at now: Duration) -> Bool {
        let trailer = trailer(slot)
        guard trailer.magic != .bad else { return false }
        if trailer.magic == .good, !trailer.isImageOK {
            write([1], at: place(SlotTrailer.imageOKOffset, of: slot), now)
        }
        return true
    }

    mutating func write(_ bytes: [UInt8], at address: Int, _ now: Duration) {
        _ = flash.append(.write(bytes, at: address), at: now)
    }

    /// Erases the pages that `range` of `slot` touches.
    mutating func erase(_ range: Range<Int>, of slot: ImageSlot, at now: Duration) {
        let start = layout.start(slot)
        let first = FlashModel.page(of: start + range.lowerBound)
        for page in stride(
            from: first, to: start + min(range.upperBound, layout.slotSize), by: SlotLayout.page)
        {
            _ = flash.append(.erase(page), at: now)
        }
    }
}

/// The storage, and the state of an exchange.
///
///     0  2  0x42 0x4F, if there is a bond
///     2  4  key of the bond
///     16 4  security counter of image 0, 0xFFFFFFFF for none
///     20 4  security counter of image 1
extension ImageSlots {
    private static let bondMark: [UInt8] = [0x42, 0x4F]
    private static let counters = 16

    var bond: Int? {
        get {
            let bytes = flash.content(0..<6)
            return bytes.starts(with: Self.bondMark) ? bytes.field(2, 4) : nil
        }
        set {
            let key = newValue.map { Self.bondMark + UInt32(clamping: $0).bytes() }
            flash.place(key ?? [UInt8](repeating: 0xFF, count: 6), at: 0)
        }
    }

    func securityCounter(_ image: Int) -> Int {
        let start = Self.counters + image * 4
        let number = flash.content(start..<start + 4).field(0, 4)
        return number == Int(UInt32.max) ? 0 : number
    }

    mutating func raiseCounter(_ image: Int, to number: Int) {
        guard number > securityCounter(image) else { return }
        flash.place(UInt32(clamping: number).bytes(), at: Self.counters + image * 4)
    }

    /// Page 1: 0x53 0x57; image and type, 1 byte each; number of pages done and of all pages, 2 bytes each.
    var progress: SwapProgress? {
        get {
            let bytes = flash.content(SlotLayout.page..<SlotLayout.page + 8)
            guard bytes.starts(with: [0x53, 0x57]), let type = SwapType(rawValue: bytes[3]),
                Int(bytes[2]) < layout.images, bytes.field(6, 2) * SlotLayout.page <= layout.largestImage
            else { return nil }
            return SwapProgress(
                image: Int(bytes[2]), type: type, done: bytes.field(4, 2), pages: bytes.field(6, 2))
        }
        set {
            var bytes = [UInt8](repeating: 0xFF, count: 8)
            if let newValue {
                bytes = [0x53, 0x57, UInt8(clamping: newValue.image), newValue.type.rawValue]
                bytes += UInt16(clamping: newValue.done).bytes() + UInt16(clamping: newValue.pages).bytes()
            }
            flash.place(bytes, at: SlotLayout.page)
        }
    }
}
