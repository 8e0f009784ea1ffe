import UpdateModel

extension BlockPlan {
    /// The block that every device accepts: 240 bytes, in chunks of 20.
    static let safeBlock = 240
    /// The buffer of a DA14580 with SDK 3, the smallest known.
    static let smallBuffer = 256
    /// The buffer of SDK 6.
    static let largeBuffer = 512
    /// The header of a DA1458x image has to be in the first block.
    static let shortestFirstBlock = 64
    /// PATCH_DATA of a DA1468x before 1.3 (dialog-suota.md, Layout).
    static let oldStreamChunk = 120
    /// With this many chunks per block or fewer, dropping one wastes much of the block.
    private static let fewChunks = 4

    /// The plan for a device; throws if the user's settings do not fit it.
    static func choose(
        uploadSize: Int, _ family: HeaderFamily, _ preferences: SUOTAPreferences, _ facts: DeviceFacts,
        maximumWriteLength: Int
    ) throws(UpdateFailure) -> BlockPlan {
        let limit = chunkLimit(facts, maximumWriteLength)
        // A block has at least one chunk; if only the block size is set, chunks are limited to it.
        let chunk = preferences.chunkSize ?? min(limit, max(preferences.blockSize ?? limit, 1))
        // A DA1468x before 1.3 accepts more than the safe 20 bytes, without reporting it.
        let most =
            family == .da1468x && facts.patchDataSize == nil
            ? max(limit, min(oldStreamChunk, maximumWriteLength)) : limit
        guard (1...most).contains(chunk) else {
            throw .preparing(
                "chunk-size-invalid",
                "chunks of \(chunk) bytes: this beacon and link accept 1 to \(most)",
                remedy: "omit \(.chunkSize), or use a size in this range")
        }
        guard let requested = preferences.blockSize else {
            return chosen(uploadSize, chunk, isRequest: preferences.chunkSize != nil, facts)
        }
        try checkBlock(of: requested, family)
        return BlockPlan(uploadSize: uploadSize, blockSize: requested, chunkSize: chunk)
    }

    /// Refuses block sizes that no device of `family` accepts.
    static func checkBlock(of size: Int, _ family: HeaderFamily) throws(UpdateFailure) {
        let blocks = family == .da1458x ? shortestFirstBlock...largeBuffer : 1...Int(UInt16.max)
        guard !blocks.contains(size) else { return }
        throw .preparing(
            "block-size-invalid",
            "blocks of \(size) bytes: \(family.chips) accept \(blocks.lowerBound) to \(blocks.upperBound)",
            remedy: "omit \(.blockSize), or use a size in this range; 240 fits all beacons")
    }

    /// The largest chunk in bytes: 20, unless the device reports more and the link carries it.
    static func chunkLimit(_ facts: DeviceFacts, _ maximumWriteLength: Int) -> Int {
        let size = facts.patchDataSize.flatMap { $0 > 0 ? $0 : nil } ?? 20
        let mtu = facts.mtu.flatMap { $0 >= 23 ? $0 - 3 : nil } ?? size
        return max(1, min(maximumWriteLength, size, mtu))
    }

    /// Whole chunks that fit the buffer that the device certainly has. If the checksum byte were alone in the last
    /// block, one chunk less or, with few long chunks, each a byte shorter unless the user has set that length.
    private static func chosen(_ uploadSize: Int, _ longest: Int, isRequest: Bool, _ facts: DeviceFacts)
        -> BlockPlan
    {
        let room =
            switch (longest > 20, facts.takesLargeBlocks) {
            case (true, true): largeBuffer
            case (true, false) where longest > safeBlock: smallBuffer
            default: safeBlock
            }
        var (chunk, count) = (longest, max(room / longest, 1))
        while true {
            let plan = BlockPlan(uploadSize: uploadSize, blockSize: count * chunk, chunkSize: chunk)
            guard plan.endsWithLoneTrailer else { return plan }
            if count <= fewChunks, !isRequest { chunk -= 1 } else { count -= 1 }
            guard count * chunk >= shortestFirstBlock else { return plan }
        }
    }
}
