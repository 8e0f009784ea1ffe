import Bytes

extension StreamReceiver {
    /// The start of the partition that receives updates.
    var updateStart: Int { personality.banks[personality.family == .da1468x ? 1 : 1 - runningBank] }

    /// Accepts bytes of the stream; returns the first error, if any.
    mutating func take(_ bytes: [UInt8], at now: Duration) -> ReceiverStatus? {
        record.bytes += bytes.count
        memoryInfo &+= UInt32(truncatingIfNeeded: bytes.count)
        var rest = bytes[...]
        if case .header(var header) = stage {
            let missing = personality.family.headerSize - header.count
            header += rest.prefix(missing)
            rest = rest.dropFirst(missing)
            stage = .header(header)
            guard header.count == personality.family.headerSize else { return nil }
            if let flaw = accept(header) {
                stage = .failed
                return flaw
            }
        }
        guard case .body(let header, let count) = stage else { return nil }
        // Anything after the image is ignored, so a trailer is harmless.
        let wanted = rest.prefix(max(0, header.total - count))
        checksum.update(wanted.dropFirst(max(0, header.codeOffset - count)))
        buffer += wanted
        stage = .body(header, count + wanted.count)
        flushBuffer(upTo: count + wanted.count, leaving: Self.bufferSize, at: now)
        return nil
    }

    private mutating func accept(_ bytes: [UInt8]) -> ReceiverStatus? {
        guard let header = StreamHeader(bytes, personality.family), header.hasSignature,
            header.codeOffset >= bytes.count
        else { return .imageHeader }
        guard header.total <= personality.largestImage else { return .imageSize }
        headerBytes = bytes
        stage = .body(header, bytes.count)
        return nil
    }

    /// Writes the collected bytes, only whole buffers unless `leaving` says otherwise; `position` is where they end.
    mutating func flushBuffer(upTo position: Int, leaving size: Int = 1, at now: Duration) {
        while buffer.count >= size {
            let piece = Array(buffer.prefix(Self.bufferSize))
            let start = updateStart + position - buffer.count
            buffer.removeFirst(piece.count)
            erase(upTo: start + piece.count - 1, now)
            _ = flash.append(.write(piece, at: start), at: now)
        }
    }

    mutating func erase(upTo end: Int, _ now: Duration) {
        while erasedEnd <= end {
            _ = flash.append(.erase(erasedEnd), at: now)
            erasedEnd += FlashModel.pageSize
        }
    }
}

/// The header at the start of a 68x or 69x image (suota-image.md, Layout).
///
///     68x  69x
///     0    0   2  signature
///     2        2  flags: 1 force CRC, 2 valid, 4 and 8 retries
///     4    2   4  code size
///     8    6   4  CRC-32
///     12   10  16 version
///     28   26  4  timestamp
///     32   30  4  offset of the code
struct StreamHeader: Hashable, Sendable {
    static let valid = 0x02

    let hasSignature: Bool
    let flags: Int
    let codeSize: Int
    let checksum: UInt32
    let version: [UInt8]
    let timestamp: UInt32
    let codeOffset: Int

    /// Nil if `bytes` are shorter than a header.
    init?(_ bytes: some Collection<UInt8>, _ family: SUOTAPersonality.Family) {
        var reader = ByteReader(Array(bytes.prefix(family.headerSize)))
        guard let signature = try? reader.bytes("signature", 2) else { return nil }
        var flags: UInt16 = UInt16(Self.valid)
        if family == .da1468x {
            guard let field: UInt16 = try? reader.integer("flags") else { return nil }
            flags = field
        }
        guard let codeSize: UInt32 = try? reader.integer("code size"),
            let checksum: UInt32 = try? reader.integer("checksum"),
            let version = try? reader.bytes("version", 16),
            let timestamp: UInt32 = try? reader.integer("timestamp"),
            let codeOffset: UInt32 = try? reader.integer("code offset")
        else { return nil }
        hasSignature = signature.elementsEqual(family.signature)
        self.flags = Int(flags)
        self.codeSize = Int(codeSize)
        self.checksum = checksum
        self.version = Array(version)
        self.timestamp = timestamp
        self.codeOffset = Int(codeOffset)
    }

    var total: Int { codeOffset + codeSize }

    /// Whether the loader accepts the image.
    var isFinished: Bool { hasSignature && flags & Self.valid != 0 }
}
