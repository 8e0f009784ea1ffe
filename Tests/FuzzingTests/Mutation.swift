/// Random damage like that of fuzzers.
enum Mutation {
    private static let numbers: [UInt8] = [0, 1, 2, 0x10, 0x7F, 0x80, 0xFE, 0xFF]

    /// `bytes` after one to four changes; pieces are taken from `other`.
    static func of(_ bytes: [UInt8], with other: [UInt8], _ random: inout some RandomNumberGenerator)
        -> [UInt8]
    {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) { change(&bytes, other, &random) }
        return bytes
    }

    private static func change(
        _ bytes: inout [UInt8], _ other: [UInt8], _ random: inout some RandomNumberGenerator
    ) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 1...8, using: &random))
        switch Int.random(in: 0..<7, using: &random) {
        case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1 where place < bytes.count: bytes[place] = numbers.randomElement(using: &random) ?? 0
        case 2 where place < bytes.count: bytes[place] = .random(in: 0...255, using: &random)
        case 3: bytes.insert(.random(in: 0...255, using: &random), at: place)
        case 4: bytes.removeSubrange(place..<end)
        case 5: bytes.insert(contentsOf: bytes[place..<end], at: place)
        default:
            guard !other.isEmpty else { return bytes.removeSubrange(place...) }
            let start = Int.random(in: 0..<other.count, using: &random)
            let piece = other[start..<min(other.count, start + 16)]
            bytes.replaceSubrange(place..<min(bytes.count, place + piece.count), with: piece)
        }
    }
}
