/// How an upload is cut (dialog-suota.md, Blocks): into blocks, each of which the device acknowledges, and those into
/// chunks, each of which is a packet. A chunk never crosses a block.
public struct BlockPlan: Hashable, Sendable {
    /// Bytes of the whole upload.
    public let uploadSize: Int
    /// Bytes of every block but the last.
    public let blockSize: Int
    /// Bytes of every chunk but the last of a block.
    public let chunkSize: Int

    /// The cut of `uploadSize` bytes: a block is at least a chunk, and at most the upload. Numbers below 1 count as 1.
    public init(uploadSize: Int, blockSize: Int, chunkSize: Int) {
        let upload = max(uploadSize, 1)
        let chunk = max(chunkSize, 1)
        let block = min(max(blockSize, chunk), upload)
        self.uploadSize = upload
        self.blockSize = block
        self.chunkSize = min(chunk, block)
    }

    /// How many blocks there are.
    public var blockCount: Int { (uploadSize - 1) / blockSize + 1 }
    /// How many chunks a full block has.
    public var chunksPerBlock: Int { (blockSize - 1) / chunkSize + 1 }
    /// How many chunks there are.
    public var chunkCount: Int { (0..<blockCount).reduce(0) { $0 + chunkCount(ofBlock: $1) } }
    /// Bytes of a last block that is shorter than the others; 0 where it is not.
    public var lastBlockSize: Int { uploadSize % blockSize }

    /// What is written as length in the course of the upload: only what differs from the last one.
    public var lengths: [Int] {
        blockCount > 1 && lastBlockSize > 0 ? [blockSize, lastBlockSize] : [blockSize]
    }

    /// Whether the last block is the checksum byte alone: it works, and a device may erase a sector for nothing.
    public var endsWithLoneTrailer: Bool { blockCount > 1 && lastBlockSize == 1 }

    /// The bytes of block `number`, counted from 0; empty after the last.
    public func block(_ number: Int) -> Range<Int> {
        guard (0..<blockCount).contains(number) else { return uploadSize..<uploadSize }
        let start = number * blockSize
        return start..<min(start + blockSize, uploadSize)
    }

    /// How many chunks block `number` has.
    public func chunkCount(ofBlock number: Int) -> Int { (block(number).count + chunkSize - 1) / chunkSize }
}
