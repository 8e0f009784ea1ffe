import Simulation
import Testing
import TransferBench

/// Virtual time: the same figures in every run, on every machine.
@Suite(.timeLimit(.minutes(10))) struct `The speed of updates over SMP` {
    private static let slow = FlashTiming(
        pageErase: .milliseconds(87), pieceWrite: .milliseconds(4), pageProgram: .milliseconds(42))

    private static func transfer(
        _ server: SMPTransfer.Server, _ mtu: Int, _ milliseconds: Double, _ timing: FlashTiming = .instant,
        window: Int? = nil
    ) -> SMPTransfer {
        var transfer = SMPTransfer(server, window: window)
        transfer.link.interval = .seconds(milliseconds / 1000)
        (transfer.timing, transfer.maximumMTU) = (timing, mtu)
        return transfer
    }

    /// A link begins between two events, so its last answer may be there by an interval earlier than the model's.
    @Test(arguments: [23, 64, 131, 185, 247, 498], [7.5, 15, 30, 50])
    func `is near the ceiling, and not above`(mtu: Int, milliseconds: Double) async throws {
        for server in SMPTransfer.Server.allCases {
            for timing in [FlashTiming.instant, .stock] {
                let transfer = Self.transfer(server, mtu, milliseconds, timing)
                let ours = try await transfer.ours()
                guard let ceiling = transfer.ceiling else {
                    #expect(ours.failure == "packets-too-small" && server == .packets && mtu < 65)
                    continue
                }
                #expect(ours.failure == nil && ours.repeated == 0 && ours.lost == 0)
                let seconds = ceiling.total / .seconds(1)
                let took = ours.seconds ?? 0
                #expect(took > seconds - milliseconds / 1000, "\(server), erasing in \(timing.pageErase)")
                #expect(took < seconds / 0.95, "\(server), erasing in \(timing.pageErase)")
            }
        }
    }

    @Test(arguments: [23, 131, 247, 498]) func `is lower with one request at a time`(mtu: Int) async throws {
        for server in SMPTransfer.Server.allCases where mtu > 64 || server == .joined {
            let all = try await Self.transfer(server, mtu, 15).ours()
            let single = try await Self.transfer(server, mtu, 15, window: 1).ours()
            #expect(single.failure == nil && single.lost == 0)
            #expect(single.bytesPerSecond < all.bytesPerSecond * 0.95)
        }
    }

    @Test(arguments: [7.5, 15, 30]) func `is limited by what the report names`(milliseconds: Double)
        async throws
    {
        let expected: [(SMPTransfer, String)] = [
            (Self.transfer(.packets, 247, milliseconds, window: 1), "answers"),
            (Self.transfer(.packets, 131, milliseconds), "answers"),
            (Self.transfer(.packets, 498, milliseconds), "air"),
            (Self.transfer(.joined, 23, milliseconds), "air"),
            (Self.transfer(.joined, 247, milliseconds), "air"),
            (Self.transfer(.joined, 498, milliseconds, window: 1), "air"),
            (Self.transfer(.packets, 247, milliseconds, Self.slow), "flash"),
            (Self.transfer(.joined, 247, milliseconds, Self.slow), "flash"),
            (Self.transfer(.joined, 247, milliseconds, Self.slow, window: 1), "flash"),
        ]
        for (transfer, limit) in expected {
            let ours = try await transfer.ours()
            #expect(ours.limit == limit, "\(transfer.server), MTU \(transfer.maximumMTU)")
            if transfer.window == nil { #expect(transfer.ceiling?.limit == limit) }
        }
    }
}
