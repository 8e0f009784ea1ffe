import UpdateModel

/// The division of an upload (dialog-suota.md, Blocks) into blocks, each acknowledged by the device, and of blocks
/// into chunks, each sent as one packet. A chunk never spans two blocks.
struct BlockPlan: Hashable, Sendable {
    /// The number of bytes of the file and its XOR.
    let uploadSize: Int
    /// Bytes of every block except the last.
    let blockSize: Int
    /// Bytes of every chunk except the last of a block.
    let chunkSize: Int

    /// Adjusts the sizes: a block has at least one chunk and at most `uploadSize` bytes; sizes below 1 count as 1.
    init(uploadSize: Int, blockSize: Int, chunkSize: Int) {
        let upload = max(uploadSize, 1)
        let chunk = max(chunkSize, 1)
        let block = min(max(blockSize, chunk), upload)
        (self.uploadSize, self.blockSize, self.chunkSize) = (upload, block, min(chunk, block))
    }

    var blockCount: Int { (uploadSize - 1) / blockSize + 1 }
    var chunksPerBlock: Int { (blockSize - 1) / chunkSize + 1 }
    var chunkCount: Int { (0..<blockCount).reduce(0) { $0 + chunkCount(ofBlock: $1) } }
    /// Bytes of the last block if it is shorter than the others; 0 if all have the same size.
    var lastBlockSize: Int { uploadSize % blockSize }

    /// Whether the last block is only the checksum byte. This works, but a device may erase a sector for nothing.
    var endsWithLoneTrailer: Bool { blockCount > 1 && lastBlockSize == 1 }

    /// The range in the upload of block `number`, counted from 0; empty after the last block.
    func block(_ number: Int) -> Range<Int> {
        guard (0..<blockCount).contains(number) else { return uploadSize..<uploadSize }
        let start = number * blockSize
        return start..<min(start + blockSize, uploadSize)
    }

    func chunkCount(ofBlock number: Int) -> Int { (block(number).count + chunkSize - 1) / chunkSize }
}

extension BlockPlan {
    /// The block size in bytes that every device accepts, in chunks of 20.
    static let safeBlock = 240
    /// The buffer in bytes of a DA14580 with SDK 3, the smallest known.
    static let smallBuffer = 256
    /// The buffer in bytes of a DA1458x with SDK 6.
    static let largeBuffer = 512
    /// The smallest first block in bytes: it has to contain the whole header of a DA1458x image.
    static let shortestFirstBlock = 64
    /// The largest chunk in bytes of a DA1468x whose service is older than 1.3 (dialog-suota.md, Blocks).
    static let oldStreamChunk = 120
    /// With this number of chunks per block or fewer, one chunk less would waste much of the block.
    private static let fewChunks = 4

    static func choose(
        uploadSize: Int, _ family: HeaderFamily, _ preferences: SUOTAPreferences, _ facts: DeviceFacts,
        maximumWriteLength: Int
    ) throws(UpdateFailure) -> BlockPlan {
        let limit = chunkLimit(facts, maximumWriteLength)
        // A block has at least one chunk, so a set block size limits the chunks.
        let chunk = preferences.chunkSize ?? min(limit, max(preferences.blockSize ?? limit, 1))
        // A DA1468x before 1.3 accepts chunks of more than 20 bytes, without reporting it: the user may set them.
        let longest =
            family == .da1468x && facts.patchDataSize == nil
            ? max(limit, min(oldStreamChunk, maximumWriteLength)) : limit
        guard (1...longest).contains(chunk) else {
            throw .preparing(
                .suota.chunkSizeInvalid,
                "chunks of \(chunk) bytes: this beacon and link accept 1 to \(longest)",
                remedy: "omit \(.chunkSize), or use a size in this range")
        }
        guard let requested = preferences.blockSize else {
            return chosen(uploadSize, chunk, isRequest: preferences.chunkSize != nil, facts)
        }
        try checkBlock(of: requested, family)
        return BlockPlan(uploadSize: uploadSize, blockSize: requested, chunkSize: chunk)
    }

    static func checkBlock(of size: Int, _ family: HeaderFamily) throws(UpdateFailure) {
        let blocks = family == .da1458x ? shortestFirstBlock...largeBuffer : 1...Int(UInt16.max)
        guard !blocks.contains(size) else { return }
        throw .preparing(
            .suota.blockSizeInvalid,
            "blocks of \(size) bytes: \(family.chips) accept \(blocks.lowerBound) to \(blocks.upperBound)",
            remedy: "omit \(.blockSize), or use a size in this range; 240 fits all beacons")
    }

    /// The largest chunk in bytes: 20, unless the device reports more and the link carries it.
    static func chunkLimit(_ facts: DeviceFacts, _ maximumWriteLength: Int) -> Int {
        let size = facts.patchDataSize.flatMap { $0 > 0 ? $0 : nil } ?? 20
        let mtu = facts.mtu.flatMap { $0 >= 23 ? $0 - 3 : nil } ?? size
        return max(1, min(maximumWriteLength, size, mtu))
    }

    /// Blocks of whole chunks that fit into the smallest buffer that the device may have. If the last block would be only
    /// the checksum byte, blocks get one chunk less or, with few chunks and unless `isRequest`, chunks one byte shorter.
    private static func chosen(
        _ uploadSize: Int, _ longest: Int, isRequest: Bool, _ facts: DeviceFacts
    ) -> BlockPlan {
        let buffer =
            switch (longest > 20, facts.acceptsLargeBlocks) {
            case (true, true): largeBuffer
            case (true, false) where longest > safeBlock: smallBuffer
            default: safeBlock
            }
        var (chunk, count) = (longest, max(buffer / longest, 1))
        while true {
            let plan = BlockPlan(uploadSize: uploadSize, blockSize: count * chunk, chunkSize: chunk)
            guard plan.endsWithLoneTrailer else { return plan }
            if count <= fewChunks, !isRequest { chunk -= 1 } else { count -= 1 }
            guard count * chunk >= shortestFirstBlock else { return plan }
        }
    }
}
