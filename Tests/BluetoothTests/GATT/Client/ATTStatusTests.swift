import Bluetooth
import Testing

@Suite struct `An ATT status` {
    @Test(
        arguments: [
            (0x01, "invalid handle"), (0x0A, "attribute not found"), (0x0F, "insufficient encryption"),
            (0x80, "application error 0x80"), (0xA0, "reserved error 0xa0"), (0xFF, "out of range"),
        ] as [(UInt8, String)])
    func `has the specification's name`(_ code: UInt8, _ name: String) {
        #expect(ATTStatus(rawValue: code).description == name)
    }
}
