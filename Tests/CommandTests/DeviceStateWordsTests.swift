import Bluetooth
import Testing
import UpdateModel

@testable import CommandKit

@Suite struct `The state of a beacon in words` {
    /// A bootloader may have been heard that nothing identifies as the beacon's.
    @Test func `does not say that a beacon was silent if it was only not recognised`() throws {
        let state = DeviceState(
            program: .unknown, address: try #require(DeviceAddress("F0:0D:BE:AC:04:00")),
            application: .intact)
        let words = "beacon: not recognised since its restart, last seen at F0:0D:BE:AC:04:00; "
        #expect(state.words.hasPrefix(words), "\(state.words)")
    }
}
