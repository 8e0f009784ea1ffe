/// The four chunks of RAM in which a bootloader of SDK 12 to 14 collects data (nordic-secure.md, Timing; nRF5 SDK 14.2,
/// `dfu_req_handling.c`).
///
/// A full chunk is queued for flash by pointer, and the next one is filled whether or not flash is done with it: data
/// that still waits there is overwritten, which goes unnoticed until the image is hashed.
public struct ChunkRing: Codable, Hashable, Sendable {
    static let count = 4

    /// The bytes in the chunks.
    var chunks: [[UInt8]]
    /// The index of the chunk that is being filled.
    var current = 0
    /// The number of bytes in it.
    var position = 0
    /// The image offset of the next chunk; less than `offset` of the progress by what was not queued yet.
    var writeOffset = 0

    init(chunk length: Int) {
        chunks = [[UInt8]](repeating: [UInt8](repeating: 0xFF, count: length), count: Self.count)
    }

    /// The size of a chunk in bytes.
    var length: Int { chunks.first?.count ?? 0 }
    /// The free bytes of the current chunk.
    var room: Int { length - position }
    /// The bytes in the current chunk.
    var filled: [UInt8] { Array(chunks[current].prefix(position)) }

    mutating func put(_ bytes: ArraySlice<UInt8>) {
        chunks[current].replaceSubrange(position..<position + bytes.count, with: bytes)
        position += bytes.count
    }

    mutating func swap() {
        current = (current + 1) % Self.count
        position = 0
    }

    /// Whether a bootloader with `room` bytes for images could have left it.
    func isPossible(in room: Int) -> Bool {
        chunks.count == Self.count && (1...FlashModel.pageSize).contains(length)
            && chunks.allSatisfy { $0.count == length }
            && chunks.indices.contains(current) && (0..<length).contains(position)
            && (0...room).contains(writeOffset)
    }
}
