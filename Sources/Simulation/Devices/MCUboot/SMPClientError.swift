/// Something that a client must never do, although some servers survive it (mcuboot-smp.md, Frames, Upload).
package struct SMPClientError: ClientRule {
    package let broken: BrokenRule

    /// A server has one buffer in which it puts pieces together.
    package static let interleavedPieces = error(
        "interleaved-pieces", "a request inside another one", "Frames")
    package static let requestTooLarge = error(
        "request-too-large", "request larger than the buffer", "Frames")
    package static let pieceWithoutReassembly = error(
        "piece-without-reassembly", "request in pieces that are not put together", "Frames")
    package static let tooManyRequests = error(
        "too-many-requests", "more requests under way than buffers", "Frames")
    package static let dataBeyondEnd = error("data-beyond-end", "more data than the announced length")
    package static let shortFirstChunk = error("short-first-chunk", "first chunk without the whole header")
    package static let unalignedChunk = error("unaligned-chunk", "chunk that is not a multiple of 4 bytes")
    package static let confirmBeforeRead = error(
        "confirm-before-read", "confirmation before the images were read", "Proof")

    package static let allCases = [
        interleavedPieces, requestTooLarge, pieceWithoutReassembly, tooManyRequests, dataBeyondEnd,
        shortFirstChunk, unalignedChunk, confirmBeforeRead,
    ]

    private static func error(_ id: String, _ text: String, _ heading: String = "Upload") -> Self {
        Self(broken: BrokenRule("smp-" + id, text, in: "mcuboot-smp.md, \(heading)"))
    }
}

/// What an SMP server has recorded over its life.
package struct SMPRecord: Hashable, Sendable {
    package internal(set) var requests = 0
    /// Requests dropped for lack of a buffer, or because they were too large.
    package internal(set) var dropped = 0
    /// Uploads that began at offset 0, without those that were resumed.
    package internal(set) var uploads = 0
    package internal(set) var resumed = 0
    /// Chunks written to flash.
    package internal(set) var chunks = 0
    /// Chunks at an unexpected offset, whose data were dropped.
    package internal(set) var misplacedChunks = 0
    package internal(set) var completed = 0
    /// Requests to test an image, accepted or not; `confirms` counts those to confirm one.
    package internal(set) var tests = 0
    package internal(set) var confirms = 0
    package internal(set) var erases = 0
    package internal(set) var storageErases = 0
    package internal(set) var resets = 0
    /// Starts of the bootloader.
    package internal(set) var starts = 0
    package internal(set) var clientErrors: [SMPClientError] = []
}
