import Bytes

/// A Marble file as a factory would build it (README.md, File).
struct MarbleSample {
    var version = "1.1.0"
    var board: UInt8 = 3
    var code = (0..<9000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

    var bytes: [UInt8] {
        var body = ByteWriter(Array(version.utf8) + [UInt8](repeating: 0, count: 12 - version.utf8.count))
        body.integer(UInt32(1_767_225_600), .big)
        body.append(code)
        var file = ByteWriter(Array("MARB".utf8) + [1, board, 0, 0])
        file.integer(UInt32(body.bytes.count), .big)
        file.integer(CRC32.checksum(body.bytes), .big)
        file.integer(CRC32.checksum(file.bytes), .big)
        return file.bytes + body.bytes
    }
}
