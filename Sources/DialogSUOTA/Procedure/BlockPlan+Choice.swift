import FirmwareModel
import UpdateCore

extension BlockPlan {
    /// What every device takes: 240 bytes, in chunks of 20.
    static let safeBlock = 240
    /// The buffer of a DA14580 with SDK 3, the smallest there is.
    static let smallBuffer = 256
    /// The buffer of SDK 6.
    static let largeBuffer = 512
    /// The header of a DA1458x image has to be in the first block.
    static let shortestFirstBlock = 64
    /// PATCH_DATA of a DA1468x before 1.3 (dialog-suota.md, Layout).
    static let oldStreamChunk = 120
    /// A block of so many chunks would lose much with one of them.
    private static let fewChunks = 4

    /// The cut for a device, or why it cannot be as the user wishes.
    static func choose(
        uploadSize: Int, _ family: HeaderFamily, _ preferences: SUOTAPreferences, _ facts: DeviceFacts,
        maximumWriteLength: Int
    ) throws(UpdateFailure) -> BlockPlan {
        let limit = chunkLimit(facts, maximumWriteLength)
        // A block is at least a chunk; who asks for a block alone means the block.
        let chunk = preferences.chunkSize ?? min(limit, max(preferences.blockSize ?? limit, 1))
        // A DA1468x before 1.3 takes more than the 20 bytes that are safe, and does not say so.
        let most =
            family == .da1468x && facts.patchDataSize == nil
            ? max(limit, min(oldStreamChunk, maximumWriteLength)) : limit
        guard (1...most).contains(chunk) else {
            throw .preparing(
                "chunk-size-invalid",
                "chunks of \(chunk) bytes: this device and this link take 1 to \(most)",
                remedy: "leave \(.chunkSize) out, or choose one of these")
        }
        guard let requested = preferences.blockSize else {
            return chosen(uploadSize, chunk, isRequest: preferences.chunkSize != nil, facts)
        }
        try checkBlock(of: requested, family)
        return BlockPlan(uploadSize: uploadSize, blockSize: requested, chunkSize: chunk)
    }

    /// Refuses blocks that no device of `family` takes.
    static func checkBlock(of size: Int, _ family: HeaderFamily) throws(UpdateFailure) {
        let blocks = family == .da1458x ? shortestFirstBlock...largeBuffer : 1...Int(UInt16.max)
        guard !blocks.contains(size) else { return }
        throw .preparing(
            "block-size-invalid",
            "blocks of \(size) bytes: \(family.chips) take \(blocks.lowerBound) to \(blocks.upperBound)",
            remedy: "leave \(.blockSize) out, or choose one of these; 240 fits all devices")
    }

    /// The most bytes of a chunk: 20, unless the device names more and the link carries them.
    static func chunkLimit(_ facts: DeviceFacts, _ maximumWriteLength: Int) -> Int {
        let size = facts.patchDataSize.flatMap { $0 > 0 ? $0 : nil } ?? 20
        let mtu = facts.mtu.flatMap { $0 >= 23 ? $0 - 3 : nil } ?? size
        return max(1, min(maximumWriteLength, size, mtu))
    }

    /// Whole chunks that fit the buffer which the device surely has. Where the checksum byte would be alone in the last
    /// block, one chunk less, or, of few long ones, each a byte shorter unless somebody asked for that length.
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
