import Bluetooth
import Simulation
import Testing
import TransferBench

@Suite struct `The ceiling of updates over SMP` {
    private func transfer(
        _ server: SMPTransfer.Server, _ mtu: Int, _ timing: FlashTiming = .instant, window: Int? = nil
    ) -> SMPTransfer {
        var transfer = SMPTransfer(server, window: window)
        (transfer.timing, transfer.maximumMTU, transfer.size) = (timing, mtu, 30_000)
        return transfer
    }

    private func ceiling(
        _ server: SMPTransfer.Server, _ mtu: Int, _ timing: FlashTiming = .instant, window: Int? = nil
    ) throws -> SMPCeiling { try #require(transfer(server, mtu, timing, window: window).ceiling) }

    /// Two intervals for the first request, and for each three that fit an event.
    @Test func `is two intervals for each round of requests that an event holds`() throws {
        let ceiling = try ceiling(.packets, 247)
        let rounds = (ceiling.requests - 2) / 3 + 1
        let intervals = ceiling.total / .milliseconds(15)
        #expect(intervals > Double(2 * rounds + 1) && intervals < Double(2 * rounds + 2))
        #expect(ceiling.flash == .zero && ceiling.limit == "answers")
    }

    @Test func `is two intervals for each request if one is under way`() throws {
        let ceiling = try ceiling(.packets, 247, window: 1)
        let intervals = ceiling.total / .milliseconds(15)
        #expect(intervals > Double(2 * ceiling.requests - 1) && intervals < Double(2 * ceiling.requests))
    }

    /// Three packets of 244 bytes an event.
    @Test func `is that of the link if requests are long`() throws {
        let ceiling = try ceiling(.joined, 247)
        let packets = ceiling.requests * 10
        #expect(ceiling.air <= .milliseconds(15) * (packets / 3))
        #expect(ceiling.air >= .milliseconds(15) * (packets / 3 - 4))
        #expect(ceiling.answers <= .milliseconds(90) && ceiling.limit == "air")
    }

    @Test func `has the flash time as a separate term`() throws {
        let quick = try ceiling(.joined, 247)
        let stock = try ceiling(.joined, 247, .stock)
        #expect(stock.flash > .zero && stock.total == stock.air + stock.answers + stock.flash)
        // 1.1 ms for 20 bytes.
        #expect(stock.total > .microseconds(55) * stock.image && stock.total > quick.total)
    }

    @Test(arguments: [(SMPTransfer.Server.packets, 23), (.packets, 62), (.joined, 23)])
    func `is absent if no first request fits`(server: SMPTransfer.Server, mtu: Int) {
        #expect((transfer(server, mtu).ceiling == nil) == (server == .packets))
    }

    @Test func `is absent for more requests than the server has buffers`() throws {
        let address = try #require(DeviceAddress("DD:34:02:06:5B:60"))
        var description = MCUbootDescription(address: address)
        description.timing = .stock
        let header: [UInt8] = [0x3D, 0xB8, 0xF3, 0x96] + [UInt8](repeating: 0, count: 28)
        let image = header + [UInt8](repeating: 7, count: 20_000)
        let ceilings = [3, 8].map {
            SMPCeiling(of: image, over: LinkModel(), to: description, window: $0)
        }
        #expect(ceilings[0] != nil && ceilings[1] == nil)
    }

    @Test func `ignores losses`() throws {
        var lossy = transfer(.packets, 247)
        lossy.link.loss = 0.3
        #expect(try lossy.ceiling == ceiling(.packets, 247))
    }
}
