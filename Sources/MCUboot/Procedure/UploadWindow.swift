/// The upload requests of one image that are under way, and the offset that the server will want after them.
///
/// A server handles requests in order. It writes the data of a request whose offset is the one that it wants,
/// ignores the data of others, and answers each request with the offset that it wants then. So an answer also
/// predicts the answers to the later requests. A lost request therefore causes one step back, although all later
/// answers repeat its offset (docs/protocols/mcuboot-smp.md, Upload).
struct UploadWindow: Equatable, Sendable {
    /// The highest limit of requests under way; more would only fill queues.
    static let largest = 32

    struct Request: Equatable, Sendable {
        let sequence: UInt8
        /// The bytes of the image in it.
        let range: Range<Int>
    }

    struct Answer: Equatable, Sendable {
        let request: Request
        /// The offset that the server wanted before.
        let before: Int
        /// Whether a request was lost, so that ``UploadWindow/next`` is a step back.
        let isGap: Bool
    }

    /// The maximum number of requests under way. It shrinks with each loss, which may be due to a lack of buffers.
    private(set) var limit: Int
    private(set) var requests: [Request] = []
    /// The offset that the server wants, by its last answer.
    private(set) var wanted = 0
    /// The offset of the next request.
    private(set) var next = 0

    init(limit: Int) { self.limit = min(max(limit, 1), Self.largest) }

    var isFull: Bool { requests.count >= limit }

    mutating func noteRequest(_ range: Range<Int>, sequence: UInt8) {
        requests.append(Request(sequence: sequence, range: range))
        next = predicted
    }

    /// The request with `sequence` is answered, and the server wants `offset` now; nil for `offset` if the
    /// answer does not say. The requests before it are lost. Returns nil for an answer to no request.
    mutating func noteAnswer(to sequence: UInt8, wanting offset: Int?) -> Answer? {
        guard let index = requests.firstIndex(where: { $0.sequence == sequence }) else { return nil }
        let (request, before, planned) = (requests[index], wanted, next)
        requests.removeFirst(index + 1)
        wanted = offset ?? wanted
        next = predicted
        let isGap = next < planned
        if isGap { limit = max(limit - 1, 1) }
        return Answer(request: request, before: before, isGap: isGap)
    }

    /// No answer came in time: all requests under way count as lost.
    mutating func noteTimeout() {
        requests = []
        next = wanted
        limit = max(limit - 1, 1)
    }

    /// The offset that the server will want after all requests under way.
    private var predicted: Int {
        requests.reduce(wanted) { $1.range.lowerBound == $0 ? $1.range.upperBound : $0 }
    }
}

/// The frame of an upload request, with as many bytes of the image as fit.
struct UploadFrame: Equatable, Sendable {
    let bytes: [UInt8]
    /// The bytes of the image in it, which are the last bytes of the frame.
    let range: Range<Int>

    /// The bytes of the image's header, which the first request has to hold.
    static let leastFirst = 32
    /// The bytes of a flash word. All requests but the last have a multiple of it: old servers write others wrongly.
    static let word = 4

    /// The frame of at most `limit` bytes for the image's bytes from `offset` on; `first` are the members
    /// that only the first request has. Nil if too few bytes fit.
    init?(of image: [UInt8], from offset: Int, first: CBORMap?, sequence: UInt8, limit: Int) {
        guard image.indices.contains(offset) else { return nil }
        func frame(_ data: [UInt8]) -> [UInt8] {
            var content = first ?? [:]
            content.append("off", .integer(offset))
            content.append("data", .bytes(data))
            return SMPRequest.upload(content).frame(sequence: sequence).bytes
        }
        let room = limit - frame([]).count
        let left = image.count - offset
        var count = min(room, left)
        // In CBOR, the length of the data takes one byte more from 24 on, and two from 256 on.
        while count > 0, count + (count < 24 ? 0 : count < 256 ? 1 : 2) > room { count -= 1 }
        if count < left { count -= count % Self.word }
        guard count >= min(first == nil ? Self.word : Self.leastFirst, left) else { return nil }
        range = offset..<offset + count
        bytes = frame(Array(image[range]))
    }
}
