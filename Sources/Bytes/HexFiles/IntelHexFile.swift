/// The bytes that Intel HEX text defines, by address (intel-hex.md).
public struct IntelHexFile: Hashable, Sendable {
    /// Contiguous bytes.
    public struct Region: Hashable, Sendable {
        /// The address of the first byte.
        public let address: UInt32
        /// The bytes.
        public let bytes: [UInt8]

        /// The address after the last byte; up to 2 to the power of 32.
        public var end: UInt64 { UInt64(address) + UInt64(bytes.count) }
    }

    /// The size limits of a text.
    public struct Limits: Hashable, Sendable {
        /// Bytes of text.
        public var textBytes = 24 << 20
        /// Bytes of data.
        public var dataBytes = 8 << 20

        /// The defaults: more than any chip's flash.
        public init() {}
    }

    /// The regions, by rising address; no two touch or overlap.
    public let regions: [Region]
    /// The start address of a record of type 03 or 05, if there is one.
    public let startAddress: UInt32?

    /// Parses Intel HEX text.
    public init(parsing text: [UInt8], limits: Limits = Limits()) throws(HexError) {
        guard text.count <= limits.textBytes else {
            throw HexError(.tooLarge(what: "text", bytes: text.count, limit: limits.textBytes))
        }
        var reading = HexReading(dataLimit: limits.dataBytes)
        var lines = HexLines(text)
        while let (line, number) = lines.next() {
            guard !reading.isEnded else { throw HexError(line: number, column: 1, .afterEnd) }
            try reading.take(try HexRecord(parsing: line, line: number), line: number)
        }
        guard reading.isEnded else { throw HexError(line: lines.number, .noEnd) }
        regions = try Region.merged(reading.pieces)
        startAddress = reading.startAddress
    }

    init(regions: [Region], startAddress: UInt32?) {
        self.regions = regions
        self.startAddress = startAddress
    }

    /// Bytes of all regions.
    public var dataBytes: Int { regions.reduce(0) { $0 + $1.bytes.count } }
}
