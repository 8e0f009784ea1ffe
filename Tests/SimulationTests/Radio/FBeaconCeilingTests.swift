import Bluetooth
import Simulation
import Testing
import TransferBench

/// Figures computed by hand.
@Suite struct `The ceiling of Feasycom upgrades` {
    private func ceiling(_ blocks: Int, mtu: Int, _ timing: FlashTiming = .instant) throws -> FBeaconCeiling {
        var transfer = FBeaconTransfer(stays: true)
        transfer.link.interval = .milliseconds(15)
        (transfer.size, transfer.maximumMTU, transfer.timing) = (blocks * 1024, mtu, timing)
        return try #require(transfer.ceiling)
    }

    /// 1029 bytes are five writes of up to 244, of which an event holds three or more, or 52 of up to 20, eleven per
    /// event; the answer comes in the event after the last, and the next packet leaves in the one after that.
    @Test(arguments: [(247, 3), (23, 6)])
    func `is whole intervals per packet`(mtu: Int, intervals: Int) throws {
        let added = try ceiling(20, mtu: mtu).total - ceiling(10, mtu: mtu).total
        #expect(added == .milliseconds(15) * 10 * intervals)
        #expect(try ceiling(20, mtu: mtu).flash == .zero)
    }

    @Test func `has erasing as a separate term`() throws {
        let erase = FlashTiming(pageErase: .milliseconds(150), pieceWrite: .zero, pageProgram: .zero)
        let (quick, slow) = (try ceiling(12, mtu: 247), try ceiling(12, mtu: 247, erase))
        #expect(slow.air == quick.air && slow.answers == quick.answers)
        // Three pages and that of the notes; an answer leaves in the first event after each.
        #expect((.milliseconds(585)...(.milliseconds(660))).contains(slow.flash))
    }
}
