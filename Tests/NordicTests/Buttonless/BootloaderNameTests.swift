import Testing

@testable import Nordic

@Suite struct `Random names of bootloaders` {
    @Test func `fit a request and an advertisement, and never collide`() {
        let names = (0..<10_000).map { _ in BootloaderName.random() }
        #expect(Set(names).count == names.count)
        // The request to set one, in a packet of the default MTU: opcode, length and name in 20 bytes.
        #expect(names.allSatisfy { $0.utf8.count <= 18 && $0.hasPrefix("Dfu") })
    }
}
