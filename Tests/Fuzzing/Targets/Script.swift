/// An input as a row of packets: each is preceded by its length in one byte; the last may be cut short.
struct Script {
    let packets: [[UInt8]]

    init(_ input: [UInt8]) {
        var packets: [[UInt8]] = []
        var rest = input[...]
        while let length = rest.popFirst() {
            packets.append(Array(rest.prefix(Int(length))))
            rest = rest.dropFirst(Int(length))
        }
        self.packets = packets
    }

    /// The input that encodes `packets`.
    static func input(_ packets: [[UInt8]]) -> [UInt8] {
        packets.flatMap { [UInt8(truncatingIfNeeded: $0.count)] + $0.prefix(255) }
    }
}
