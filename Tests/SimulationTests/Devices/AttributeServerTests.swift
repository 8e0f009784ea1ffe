import Bluetooth
import Bytes
import Simulation
import Testing

/// A packet to the bootloader's server and its answer.
///
///     1 GAP  2 declaration  3 name   4 DFU  5 declaration  6 Control Point  7 its CCCD
///     8 declaration  9 Packet
@Suite struct `An attribute server` {
    func ask(_ requests: String..., of server: AttributeServer? = nil) -> String? {
        var server = server ?? AttributeServer(.bootloader(name: "DfuTarg", maximumMTU: 247), maximumMTU: 247)
        return requests.map { server.receive(hex($0)).answer.map(HexText.encode) }.last ?? nil
    }

    static let controlPoint = "50eada308883b89f604f15f30100c98e"
    static let packet = "50eada308883b89f604f15f30200c98e"

    @Test(
        arguments: [
            ("100100ffff0028", "1106" + "0100" + "0300" + "0018" + "0400" + "0900" + "59fe"),
            ("100500ffff0028", "011005000a"),
            ("100100ffff0128", "0110010010"),
            ("100100ffff03", "0110000004"),
            ("060100ffff002859fe", "0704000900"),
            ("060100ffff00280a18", "010601000a"),
            ("080100ffff0328", "0907" + "0200" + "02" + "0300" + "002a"),
            ("080400ffff0328", "0915" + "0500" + "18" + "0600" + controlPoint),
            ("080600ffff0328", "0915" + "0800" + "04" + "0900" + packet),
            ("080900ffff0328", "010809000a"),
            ("080100ffff002a", "0909" + "0300" + "44667554617267"),
            ("080100ffff" + controlPoint, "0108060002"),
            ("0801000000" + "0328", "0108010001"),
            ("0800000100" + "0328", "0108000001"),
            ("0401000300", "0501" + "0100" + "0028" + "0200" + "0328" + "0300" + "002a"),
            ("040600ffff", "0502" + "0600" + controlPoint),
            ("040700ffff", "0501" + "0700" + "0229" + "0800" + "0328"),
            ("040a00ffff", "01040a000a"),
            ("0a0300", "0b44667554617267"),
            ("0a0600", "010a060002"),
            ("0a0700", "0b0000"),
            ("0a0000", "010a000001"),
            ("0a0a00", "010a0a0001"),
            ("0a03", "010a000004"),
            ("0a030000", "010a000004"),
            ("0c03000300", "0d54617267"),
            ("0c03000700", "0d"),
            ("0c03000800", "010c030007"),
            ("12060001", "01120600fd"),
            ("120300ff", "0112030003"),
            ("12090001", "0112090003"),
            ("12070001", "011207000d"),
            ("1206000102030405060708090a0b0c0d0e0f1011121314151617" + "18", "011206000d"),
            ("0e03000600", "010e000006"),
            ("16", "0116000006"),
            ("02", "0102000004"),
            ("52030001", nil),
            ("52060001", nil),
            ("7f", nil),
            ("1b0300", nil),
            ("1e", nil),
            ("", nil),
        ] as [(String, String?)])
    func `answers as specified`(_ request: String, _ answer: String?) {
        #expect(ask(request) == answer)
    }

    @Test(arguments: [(23, 23), (25, 23), (50, 47), (185, 183), (246, 243), (247, 247), (517, 247), (5, 23)])
    func `of a bootloader agrees on an MTU of 4n+3`(_ asked: Int, _ granted: Int) {
        var server = AttributeServer(
            .bootloader(name: "DfuTarg", maximumMTU: 247), maximumMTU: 247, keepsWordSize: true)
        let answer = server.receive([0x02, UInt8(asked & 255), UInt8(asked >> 8)]).answer
        #expect(answer == [0x03, UInt8(granted), 0])
        #expect(server.agreedMTU == granted)
    }

    @Test func `accepts Control Point writes once notifications are on, and cuts them to the MTU`() {
        var server = AttributeServer(.bootloader(name: "DfuTarg", maximumMTU: 247), maximumMTU: 247)
        let point = AttributeTable.controlPoint
        #expect(server.notification([1], from: point) == nil)
        #expect(server.receive(hex("1207000100")).answer == [0x13])
        #expect(
            server.receive(hex("1206000601")) == .init(answer: [0x13], event: .written([6, 1], to: point)))
        #expect(server.notification([1, 2], from: point) == [0x1B, 6, 0, 1, 2])
        #expect(server.notification([UInt8](repeating: 1, count: 40), from: point)?.count == 23)
        #expect(server.indication([1], from: point) == nil)
        #expect(ask("1207000100", "0a0700", of: server) == "0b0100")
    }

    @Test func `accepts Write Commands where they are allowed, up to the longest value`() {
        var server = AttributeServer(.bootloader(name: "DfuTarg", maximumMTU: 247), maximumMTU: 247)
        let bytes = [UInt8](repeating: 7, count: 244)
        #expect(server.receive([0x52, 9, 0] + bytes).event == .commanded(bytes, to: AttributeTable.packet))
        #expect(server.receive([0x52, 9, 0] + bytes + [1]) == .init())
        #expect(server.receive([0x52, 6, 0, 1]) == .init())
        #expect(server.receive([0x1E]).event == .confirmed)
    }

    @Test func `of an application reports its version`() {
        let server = AttributeServer(.application(name: "Beacon", revision: "20731"), maximumMTU: 247)
        #expect(ask("080100ffff262a", of: server) == "0907" + "0600" + HexText.encode("20731".utf8))
    }

    @Test func `never traps on a short packet`() {
        for opcode in 0...255 {
            for count in 0..<8 {
                for byte: UInt8 in [0, 1, 6, 0xFF] {
                    var server = AttributeServer(.bootloader(name: "", maximumMTU: 247), maximumMTU: 247)
                    _ = server.receive([UInt8(opcode)] + [UInt8](repeating: byte, count: count))
                }
            }
        }
    }
}
