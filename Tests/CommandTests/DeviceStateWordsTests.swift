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
        let words = "beacon: not recognised again, last seen at F0:0D:BE:AC:04:00; "
        #expect(state.words.hasPrefix(words), "\(state.words)")
    }

    /// A Feasycom beacon with only a part of the image may be in its bootloader, without an application.
    @Test func `does not say that the new application may run if it is not installed`() throws {
        let state = DeviceState(
            program: .application, address: try #require(DeviceAddress("F0:0D:BE:AC:09:00")),
            application: .unknown, isUnfinished: true)
        let words =
            "beacon: last seen at F0:0D:BE:AC:09:00; the new application is not installed, and the old one is "
            + "intact or partly overwritten. "
        #expect(state.words.hasPrefix(words), "\(state.words)")
    }
}
