import Testing

@testable import BlueZ

@Suite struct `A management status` {
    @Test(
        arguments: [
            (0x00, "success"), (0x02, "not connected"), (0x0A, "busy"), (0x0F, "not powered"),
            (0x11, "invalid index"), (0x12, "rfkilled"), (0x14, "permission denied"), (0x15, "status 0x15"),
            (0xFF, "status 0xff"),
        ] as [(UInt8, String)])
    func `has the name that the management interface gives it`(_ code: UInt8, _ name: String) {
        #expect(ManagementStatus(rawValue: code).description == name)
    }
}
