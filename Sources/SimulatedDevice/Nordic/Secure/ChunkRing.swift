/// The four chunks of RAM in which a bootloader of SDK 12 to 14 collects data (nordic-secure.md, Timing; nRF5 SDK
/// 14.2, `dfu_req_handling.c`).
///
/// A full chunk goes to the flash queue by pointer, and the next one in turn is filled, whether or not flash is
/// done with it: what waits there is overwritten, and nobody notices before the image is hashed.
public struct ChunkRing: Codable, Hashable, Sendable {
    static let count = 4

    /// What is in the chunks.
    var chunks: [[UInt8]]
    /// The chunk that is being filled.
    var current = 0
    /// How far it is filled.
    var position = 0
    /// Where in the image the next chunk goes; after `offset` of the progress by what has not gone yet.
    var writeOffset = 0

    init(chunk length: Int) {
        chunks = [[UInt8]](repeating: [UInt8](repeating: 0xFF, count: length), count: Self.count)
    }

    /// Bytes in a chunk.
    var length: Int { chunks.first?.count ?? 0 }
    /// Bytes that the current chunk still takes.
    var room: Int { length - position }
    /// What the current chunk holds.
    var filled: [UInt8] { Array(chunks[current].prefix(position)) }

    mutating func put(_ bytes: ArraySlice<UInt8>) {
        chunks[current].replaceSubrange(position..<position + bytes.count, with: bytes)
        position += bytes.count
    }

    mutating func swap() {
        current = (current + 1) % Self.count
        position = 0
    }

    /// Whether it could have been left by a bootloader with `room` bytes for images.
    func isPossible(in room: Int) -> Bool {
        chunks.count == Self.count && (1...FlashModel.pageSize).contains(length)
            && chunks.allSatisfy { $0.count == length }
            && chunks.indices.contains(current) && (0..<length).contains(position)
            && (0...room).contains(writeOffset)
    }
}
