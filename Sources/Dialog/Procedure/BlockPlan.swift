/// The division of an upload (dialog-suota.md, Blocks) into blocks, each acknowledged by the device, and of blocks
/// into chunks, each sent as one packet. A chunk never spans two blocks.
public struct BlockPlan: Hashable, Sendable {
    /// Bytes of the whole upload.
    public let uploadSize: Int
    /// Bytes of every block except the last.
    public let blockSize: Int
    /// Bytes of every chunk except the last of a block.
    public let chunkSize: Int

    /// The plan for `uploadSize` bytes: a block is at least one chunk, and at most the upload. Sizes below 1 count as
    /// 1.
    public init(uploadSize: Int, blockSize: Int, chunkSize: Int) {
        let upload = max(uploadSize, 1)
        let chunk = max(chunkSize, 1)
        let block = min(max(blockSize, chunk), upload)
        self.uploadSize = upload
        self.blockSize = block
        self.chunkSize = min(chunk, block)
    }

    /// Number of blocks.
    public var blockCount: Int { (uploadSize - 1) / blockSize + 1 }
    /// Number of chunks in a full block.
    public var chunksPerBlock: Int { (blockSize - 1) / chunkSize + 1 }
    /// Number of chunks.
    public var chunkCount: Int { (0..<blockCount).reduce(0) { $0 + chunkCount(ofBlock: $1) } }
    /// Bytes of a last block that is shorter than the others; 0 if it is not.
    public var lastBlockSize: Int { uploadSize % blockSize }

    /// The lengths written during the upload, each different from the previous one.
    public var lengths: [Int] {
        blockCount > 1 && lastBlockSize > 0 ? [blockSize, lastBlockSize] : [blockSize]
    }

    /// Whether the last block is only the checksum byte: this works, but a device may erase a sector for nothing.
    public var endsWithLoneTrailer: Bool { blockCount > 1 && lastBlockSize == 1 }

    /// The bytes of block `number`, counted from 0; empty after the last.
    public func block(_ number: Int) -> Range<Int> {
        guard (0..<blockCount).contains(number) else { return uploadSize..<uploadSize }
        let start = number * blockSize
        return start..<min(start + blockSize, uploadSize)
    }

    /// Number of chunks in block `number`.
    public func chunkCount(ofBlock number: Int) -> Int { (block(number).count + chunkSize - 1) / chunkSize }
}
