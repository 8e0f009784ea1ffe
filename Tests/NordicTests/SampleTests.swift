import Bytes
import TestSupport
import Testing

@Suite struct `The samples` {
    @Test func `are the files of SHA256SUMS, no more and no less`() throws {
        let sums = String(decoding: try Samples.bytes("SHA256SUMS"), as: UTF8.self)
        var names: [String] = []
        for line in sums.split(separator: "\n") {
            let name = String(line.dropFirst(66))
            let digest = SHA256Digest.digest(try Samples.bytes(name))
            #expect(HexText.encode(digest) == line.prefix(64), "\(name)")
            names.append(name)
        }
        let folders = ["dialog", "feasycom", "hex", "legacy", "malformed", "nordic"]
        #expect(names == (try folders.flatMap { try Samples.names(in: $0) }))
    }
}
