/// The state while Intel HEX text is read: the base address of the next records, and the data so far.
struct HexReading {
    let dataLimit: Int
    /// The data of records, and the lines that they came from.
    private(set) var pieces: [(data: IntelHexFile.Region, line: Int)] = []
    private(set) var startAddress: UInt32?
    private(set) var isEnded = false
    private var base: UInt32 = 0
    private var isSegmented = false
    private var dataBytes = 0

    init(dataLimit: Int) { self.dataLimit = dataLimit }

    mutating func add(_ record: HexRecord, line: Int) throws(HexError) {
        switch record.kind {
        case .data: try addData(of: record, line: line)
        case .end: isEnded = true
        case .segmentBase: (base, isSegmented) = (record.number << 4, true)
        case .linearBase: (base, isSegmented) = (record.number << 16, false)
        case .segmentStart, .linearStart: startAddress = record.number
        }
    }

    private mutating func addData(of record: HexRecord, line: Int) throws(HexError) {
        guard !record.data.isEmpty else { return }
        let end = UInt64(base) + UInt64(record.offset) + UInt64(record.data.count)
        // A segment has 64 KiB. Readers disagree whether data beyond its end wraps to its start, so that is refused.
        let limit = isSegmented ? UInt64(base) + 0x10000 : 1 << 32
        guard end <= limit else { throw HexError(line: line, column: 4, .beyondSegment) }
        dataBytes += record.data.count
        guard dataBytes <= dataLimit else {
            throw HexError(line: line, .tooLarge(what: "data", bytes: dataBytes, limit: dataLimit))
        }
        let data = IntelHexFile.Region(address: base + UInt32(record.offset), bytes: record.data)
        pieces.append((data, line))
    }
}

extension IntelHexFile.Region {
    /// The regions that the pieces form, in order of address.
    static func merged(
        _ pieces: [(data: IntelHexFile.Region, line: Int)]
    ) throws(HexError) -> [IntelHexFile.Region] {
        var regions: [IntelHexFile.Region] = []
        // If two pieces begin at one address, the error names the later line.
        for (data, line) in pieces.sorted(by: { ($0.data.address, $0.line) < ($1.data.address, $1.line) }) {
            guard let last = regions.indices.last, UInt64(data.address) <= regions[last].end else {
                regions.append(data)
                continue
            }
            guard UInt64(data.address) == regions[last].end else {
                throw HexError(line: line, column: 4, .overlap(address: data.address))
            }
            regions[last].bytes += data.bytes
        }
        return regions
    }
}
