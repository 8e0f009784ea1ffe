/// A record's data with its address, and the line that it came from.
struct HexPiece {
    let address: UInt32
    let bytes: [UInt8]
    let line: Int
}

/// The state of reading: the base address of records, and their data so far.
struct HexReading {
    let dataLimit: Int
    private(set) var pieces: [HexPiece] = []
    private(set) var startAddress: UInt32?
    private(set) var isEnded = false
    private var base: UInt32 = 0
    private var isSegmented = false
    private var dataBytes = 0

    init(dataLimit: Int) { self.dataLimit = dataLimit }

    mutating func take(_ record: HexRecord, line: Int) throws(HexError) {
        switch record.kind {
        case .data: try add(record, line: line)
        case .end: isEnded = true
        case .segmentBase: (base, isSegmented) = (record.number << 4, true)
        case .linearBase: (base, isSegmented) = (record.number << 16, false)
        case .segmentStart, .linearStart: startAddress = record.number
        }
    }

    private mutating func add(_ record: HexRecord, line: Int) throws(HexError) {
        guard !record.data.isEmpty else { return }
        let end = UInt64(base) + UInt64(record.offset) + UInt64(record.data.count)
        let limit = isSegmented ? UInt64(base) + 0x10000 : 1 << 32
        guard end <= limit else { throw HexError(line: line, column: 4, .beyondSegment) }
        dataBytes += record.data.count
        guard dataBytes <= dataLimit else {
            throw HexError(line: line, .tooLarge(what: "data", bytes: dataBytes, limit: dataLimit))
        }
        pieces.append(HexPiece(address: base + UInt32(record.offset), bytes: record.data, line: line))
    }
}

extension IntelHexFile.Region {
    /// The regions that the pieces form, in order of address.
    static func merged(_ pieces: [HexPiece]) throws(HexError) -> [IntelHexFile.Region] {
        var regions: [IntelHexFile.Region] = []
        var start: UInt32 = 0
        var bytes: [UInt8] = []
        // Of two pieces at one address, the error belongs to the later line.
        for piece in pieces.sorted(by: { ($0.address, $0.line) < ($1.address, $1.line) }) {
            let end = UInt64(start) + UInt64(bytes.count)
            if bytes.isEmpty || UInt64(piece.address) > end {
                if !bytes.isEmpty { regions.append(IntelHexFile.Region(address: start, bytes: bytes)) }
                (start, bytes) = (piece.address, piece.bytes)
            } else {
                guard UInt64(piece.address) == end else {
                    throw HexError(line: piece.line, column: 4, .overlap(address: piece.address))
                }
                bytes += piece.bytes
            }
        }
        if !bytes.isEmpty { regions.append(IntelHexFile.Region(address: start, bytes: bytes)) }
        return regions
    }
}
