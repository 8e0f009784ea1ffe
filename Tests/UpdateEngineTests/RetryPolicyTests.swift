import Bluetooth
import Nordic
import Testing
import UpdateBench
import UpdateModel

@testable import UpdateEngine

@Suite struct `A retry policy` {
    @Test func `waits half a second, then twice as long each time, up to four seconds`() {
        let policy = RetryPolicy()
        let pauses = (0...6).map { policy.pause(after: $0) }
        #expect(pauses == [500, 500, 1000, 2000, 4000, 4000, 4000].map { .milliseconds($0) })
    }

    @Test(arguments: [-1, 8, 11, 63, 64, 1000, .max]) func `has a pause for any number of failures`(
        _ failures: Int
    ) {
        var policy = RetryPolicy()
        (policy.firstPause, policy.longestPause) = (.milliseconds(1), .seconds(1))
        #expect(policy.pause(after: failures) == .milliseconds(failures < 0 ? 1 : failures == 8 ? 128 : 1000))
    }
}

@Suite struct `The candidate addresses of a unit` {
    private func places(_ text: String) throws -> CandidateAddresses {
        let procedure = SecureProcedure(TestFirmware(count: 4).secureImage)
        return CandidateAddresses(selected: try #require(DeviceAddress(text)), of: procedure, others: [])
    }

    @Test(
        arguments: [
            ("F0:0D:BE:AC:00:01", "F0:0D:BE:AC:00:00"), ("F0:0D:BE:AC:00:00", "F0:0D:BE:AC:00:FF"),
        ]) func `are the bootloader's address and the one below, without carry`(
            _ bootloader: String, _ application: String
        ) throws
    {
        let places = try places(bootloader)
        #expect(places.target.description == bootloader)
        #expect(Set(places.all.map(\.description)) == [bootloader, application])
        #expect(places.applicationAddresses == places.all)
    }
}
