/// The bytes that Intel HEX text defines, by address (intel-hex.md).
public struct IntelHexFile: Hashable, Sendable {
    public struct Region: Hashable, Sendable {
        public let address: UInt32
        public internal(set) var bytes: [UInt8]

        /// The address after the last byte; up to 2 to the power of 32.
        public var end: UInt64 { UInt64(address) + UInt64(bytes.count) }
    }

    /// The regions, by rising address; no two touch or overlap.
    public let regions: [Region]
    /// The start address from a record of type 03 or 05; nil if there is no such record.
    public let startAddress: UInt32?
}

extension IntelHexFile {
    /// Parses Intel HEX text. The limits, in bytes, exceed any chip's flash.
    public init(
        parsing text: [UInt8], textLimit: Int = 24 << 20, dataLimit: Int = 8 << 20
    ) throws(HexError) {
        guard text.count <= textLimit else {
            throw HexError(.tooLarge(what: "text", bytes: text.count, limit: textLimit))
        }
        var reading = HexReading(dataLimit: dataLimit)
        var lines = HexLines(text)
        while let (line, number) = lines.next() {
            guard !reading.isEnded else { throw HexError(line: number, column: 1, .afterEnd) }
            try reading.add(try HexRecord(parsing: line, line: number), line: number)
        }
        guard reading.isEnded else { throw HexError(line: lines.number, .noEnd) }
        regions = try Region.merged(reading.pieces)
        startAddress = reading.startAddress
    }

    public var dataBytes: Int { regions.reduce(0) { $0 + $1.bytes.count } }

    /// The largest flattened image, in bytes: more than any chip's flash.
    public static let flatLimit = 8 << 20

    /// All regions as one contiguous block, with 0xFF between them, from `start` or, if nil, from the lowest address;
    /// its length is rounded up to a multiple of `alignment` bytes with 0xFF.
    public func flattened(
        from start: UInt32? = nil, alignment: Int = 1, atMost limit: Int = flatLimit
    ) throws(HexError) -> Region {
        guard let first = regions.first, let last = regions.last else { throw HexError(.noData) }
        let start = start ?? first.address
        guard first.address >= start else {
            throw HexError(.belowStart(address: first.address, start: start))
        }
        let unit = UInt64(max(alignment, 1))
        let size = (last.end - UInt64(start) + unit - 1) / unit * unit
        guard size <= UInt64(limit) else {
            throw HexError(.tooLarge(what: "flattened image", bytes: Int(size), limit: limit))
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(size))
        for region in regions {
            bytes += repeatElement(0xFF, count: Int(region.address - start) - bytes.count)
            bytes += region.bytes
        }
        bytes += repeatElement(0xFF, count: Int(size) - bytes.count)
        return Region(address: start, bytes: bytes)
    }

    /// The part inside `addresses`; regions are cut at its limits.
    public func confined(to addresses: Range<UInt64>) -> IntelHexFile {
        let kept = regions.compactMap { region -> Region? in
            let range = (UInt64(region.address)..<region.end).clamped(to: addresses)
            guard !range.isEmpty else { return nil }
            let place = Int(range.lowerBound - UInt64(region.address))
            return Region(
                address: UInt32(range.lowerBound), bytes: Array(region.bytes[place..<place + range.count]))
        }
        return IntelHexFile(regions: kept, startAddress: startAddress)
    }

    /// The bytes of `addresses`; nil if one of them is not defined.
    public func bytes(at addresses: Range<UInt64>) -> ArraySlice<UInt8>? {
        guard
            let region = regions.first(where: {
                UInt64($0.address) <= addresses.lowerBound && addresses.upperBound <= $0.end
            })
        else { return nil }
        let place = Int(addresses.lowerBound - UInt64(region.address))
        return region.bytes[place..<place + addresses.count]
    }

    /// The start of Nordic's information and configuration registers; a bootloader cannot write them.
    static let registers: UInt64 = 0x1000_0000

    /// The end of the registers of all chips of the family: FICR, UICR and what nRF53 and nRF91 have there.
    static let registersEnd: UInt64 = 0x1100_0000

    /// The image for a Nordic package: without the master boot record and the registers, from its lowest
    /// address, its length rounded up to a multiple of 4 bytes with 0xFF (intel-hex.md, Checks). Data outside the
    /// registers and the flash is an error, so that nothing is dropped silently.
    public func confinedImage() throws(HexError) -> Region {
        for region in regions {
            let isRegister = UInt64(region.address) >= Self.registers
            guard region.end <= (isRegister ? Self.registersEnd : Self.registers) else {
                let border = isRegister ? max(UInt64(region.address), Self.registersEnd) : Self.registers
                throw HexError(.outsideFlash(address: UInt32(clamping: border)))
            }
        }
        return try withoutRegisters.flattened(alignment: 4)
    }

    /// The part that goes into the image for a Nordic package.
    public var withoutRegisters: IntelHexFile { confined(to: masterBootRecordEnd..<Self.registers) }

    /// The end of the master boot record: 0x1000, or 0x3000 if the SoftDevice's information structure is not at 0x3000,
    /// but one to four pages higher.
    var masterBootRecordEnd: UInt64 {
        let page: UInt64 = 0x1000
        guard !hasSoftDeviceMark(at: 0x3004) else { return page }
        return (1...4).contains { hasSoftDeviceMark(at: 0x3004 + $0 * page) } ? 0x3000 : page
    }

    /// The gaps of at least `bytes`, by rising address.
    public func gaps(ofAtLeast bytes: Int) -> [HexGap] {
        zip(regions, regions.dropFirst()).map { HexGap(before: $0, after: $1) }.filter { $0.bytes >= bytes }
    }

    private func hasSoftDeviceMark(at address: UInt64) -> Bool {
        bytes(at: address..<address + 4)?.elementsEqual([0xDB, 0xE5, 0xB1, 0x51]) == true
    }
}

/// Addresses between two regions of Intel HEX that flattening fills with 0xFF.
public struct HexGap: Hashable, Sendable {
    public let before: IntelHexFile.Region
    public let after: IntelHexFile.Region

    public var bytes: Int { Int(UInt64(after.address) - before.end) }

    /// The settings addresses of Nordic's bootloaders, and of the backup copy one page below: at the end of the
    /// flash of nRF51, nRF52810, nRF52820, nRF52832, nRF52833 and nRF52840.
    private static let settings: Set<UInt32> = [
        0x3FC00, 0x2E000, 0x2F000, 0x3E000, 0x3F000, 0x7E000, 0x7F000, 0xFE000, 0xFF000,
    ]

    /// Whether the region after the gap is at a settings address, and is no longer than the settings.
    public var isBeforeSettings: Bool { Self.settings.contains(after.address) && after.bytes.count <= 0x1000 }
}

/// The non-empty lines of a text, without white space at their ends. Lines end with LF, CR LF or CR.
struct HexLines {
    /// The number of the latest line, from 1.
    private(set) var number = 0
    private var rest: ArraySlice<UInt8>

    init(_ text: [UInt8]) { rest = text[...] }

    mutating func next() -> (line: ArraySlice<UInt8>, number: Int)? {
        while !rest.isEmpty {
            let line = rest.prefix { $0 != 0x0A && $0 != 0x0D }
            rest = rest[line.endIndex...]
            number += 1
            if rest.starts(with: [0x0D, 0x0A]) { rest = rest.dropFirst(2) } else { rest = rest.dropFirst() }
            let used = line.lastIndex { $0 != 0x20 && $0 != 0x09 }.map { line[...$0] } ?? []
            if !used.isEmpty { return (used, number) }
        }
        return nil
    }
}
