import Bluetooth
import Testing

@Suite struct `A device address` {
    @Test func `is printed in the form in which it is written`() {
        #expect(DeviceAddress("f0:0d:BE:ac:01:ff")?.description == "F0:0D:BE:AC:01:FF")
    }

    @Test func `has neighbours without carry`() {
        let last = DeviceAddress("F0:0D:BE:AC:01:FF")
        #expect(last?.neighbour(1) == DeviceAddress("F0:0D:BE:AC:01:00"))
        #expect(last?.neighbour(1).neighbour(-1) == last)
    }

    @Test(arguments: [
        "", "F0:0D:BE:AC:01", "F0:0D:BE:AC:01:0", "F0:0D:BE:AC:01:000", "G0:0D:BE:AC:01:00", "::::::",
    ])
    func `is refused when it is not six bytes`(_ text: String) {
        #expect(DeviceAddress(text) == nil)
    }
}
