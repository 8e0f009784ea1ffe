/// What breaks the rules of SMP, although some servers survive it (mcuboot-smp.md, Frames, Upload).
package enum SMPRule: String, ClientRule {
    /// A server reassembles one request at a time.
    case interleavedPieces
    case requestTooLarge, pieceWithoutReassembly, tooManyRequests, dataBeyondEnd, shortFirstChunk,
        unalignedChunk, confirmBeforeRead

    package static let prefix = "smp-"
    package static let page = "mcuboot-smp.md,"

    package var broken: BrokenRule {
        switch self {
        case .interleavedPieces: rule("a request sent between the pieces of another", "Frames")
        case .requestTooLarge: rule("request larger than the buffer", "Frames")
        case .pieceWithoutReassembly: rule("request in pieces to a server that does not reassemble", "Frames")
        case .tooManyRequests: rule("more requests under way than buffers", "Frames")
        case .dataBeyondEnd: rule("more data than the announced length", "Upload")
        case .shortFirstChunk: rule("first chunk without the whole header", "Upload")
        case .unalignedChunk: rule("chunk that is not a multiple of 4 bytes", "Upload")
        case .confirmBeforeRead: rule("confirmation before the images were read", "Proof")
        }
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
    package internal(set) var completed = 0
    /// Requests to test an image, accepted or not; `confirms` counts those to confirm one.
    package internal(set) var tests = 0, confirms = 0
    package internal(set) var erases = 0, resets = 0
    /// Starts of the bootloader.
    package internal(set) var starts = 0
    package internal(set) var brokenRules: [SMPRule] = []
}
