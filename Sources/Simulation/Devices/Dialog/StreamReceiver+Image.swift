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

    /// Erases the sectors up to the one that contains `end`.
    mutating func erase(upTo end: Int, _ now: Duration) {
        while erasedEnd <= end {
            _ = flash.append(.erase(erasedEnd), at: now)
            erasedEnd += FlashModel.pageSize
        }
    }
}
