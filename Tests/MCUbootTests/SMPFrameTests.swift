import Bytes
import MCUboot
import Testing

@Suite struct `SMP frames` {
    /// An answer to the request for parameters, as a device sends it: an indefinite map.
    private static let parameters =
        "010000190000ff06bf686275665f73697a6519 09ab 69 6275665f636f756e74 04 ff"

    @Test func `an answer with an indefinite map is read`() throws {
        let frame = try SMPFrame(parsing: HexText.decode(Self.parameters))
        #expect(frame.operation == .readAnswer)
        #expect(frame.version == 0)
        #expect(frame.sequence == 0xFF)
        #expect(frame.content.integer("buf_size") == 2475)
        #expect(frame.content.integer("buf_count") == 4)
        #expect(SMPRequest.parameters.isAnswered(by: frame, sequence: 0xFF))
        #expect(!SMPRequest.parameters.isAnswered(by: frame, sequence: 0))
    }

    @Test func `every prefix of a frame is refused`() throws {
        let bytes = try HexText.decode(Self.parameters)
        for count in 0..<bytes.count {
            #expect(throws: SMPFrameError.self) { try SMPFrame(parsing: Array(bytes.prefix(count))) }
        }
    }

    @Test(arguments: [1, 7, 8, 20, 100]) func `pieces of any length are joined`(length: Int) throws {
        let bytes = try HexText.decode(Self.parameters)
        var reassembly = SMPReassembly()
        var whole: [UInt8]?
        for start in stride(from: 0, to: bytes.count, by: length) {
            #expect(whole == nil)
            whole = try reassembly.add(Array(bytes[start..<min(start + length, bytes.count)]))
        }
        #expect(whole == bytes)
        #expect(reassembly.isEmpty)
    }
}
