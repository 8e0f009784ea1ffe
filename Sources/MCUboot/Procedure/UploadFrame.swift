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
