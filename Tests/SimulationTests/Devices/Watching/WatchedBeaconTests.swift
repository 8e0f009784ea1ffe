import Synchronization
import TestSupport
import Testing

@testable import Simulation

/// The events so far.
private final class Diary: Sendable {
    private let acts = Mutex<[ClientAct]>([])

    var all: [ClientAct] { acts.withLock(\.self) }
    func note(_ act: ClientAct) { acts.withLock { $0.append(act) } }
    var updates: [CompletedUpdate] {
        all.compactMap { if case .completed(let update) = $0 { update } else { nil } }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A watched beacon` {
    @Test func `reports what a client does, in order`() async throws {
        let bench = try BeaconBench()
        let diary = Diary()
        await bench.beacon.watch { diary.note($0) }
        try await bench.link { client in
            try await client.start()
            _ = try await client.ask("0101" + word(4))
            try await client.bearer.send([0x52, 9, 0, 1, 2, 3, 4])
            _ = try await client.ask("04")
        }
        let point = AttributeTable.controlPoint
        #expect(
            diary.all == [
                .connected, .exchangedMTU(asked: 247, agreed: 247), .subscribed(point, bits: 1),
                .requested(ClientRequest("set-receipts", ["packets": 0])),
                .answered(hex("600201"), from: point),
                .requested(ClientRequest("create", ["object": 1, "bytes": 4])),
                .answered(hex("600101"), from: point), .sent(bytes: 4),
                .requested(ClientRequest("execute")), .answered(hex("600405"), from: point), .disconnected,
            ])
    }

    @Test func `has the sent bytes once an update has arrived`() async throws {
        let bench = try BeaconBench()
        let diary = Diary()
        await bench.beacon.watch { diary.note($0) }
        #expect(try await bench.update() == "600401")
        let update = try #require(diary.updates.first)
        #expect(diary.updates.count == 1)
        #expect(update.held == GoldenUpdate.image)
        #expect(update.sent == GoldenUpdate.image)
        #expect(update.isRight)
        #expect(!diary.all.contains { if case .broke = $0 { true } else { false } })
    }

    @Test func `reports packets that found its flash busy`() async throws {
        let bench = try BeaconBench { $0.timing = .stock }
        let diary = Diary()
        await bench.beacon.watch { diary.note($0) }
        try await bench.link { client in
            try await client.start()
            try await client.bring(GoldenUpdate.signed, type: 1)
            _ = try await client.ask("04")
            try await client.bring(Array(GoldenUpdate.image[..<4096]), type: 2)
        }
        let dropped = diary.all.reduce(0) { if case .dropped(let packets) = $1 { $0 + packets } else { $0 } }
        #expect(dropped > 0)
        #expect(await bench.beacon.statistics.bootloader.packetsDropped == dropped)
    }

    @Test func `reports no refused update`() async throws {
        let bench = try BeaconBench([.loseFlashWrite(2)])
        let diary = Diary()
        await bench.beacon.watch { diary.note($0) }
        #expect(try await bench.update() != "600401")
        #expect(diary.updates.isEmpty)
    }

    @Test func `reports a broken rule once`() async throws {
        let bench = try BeaconBench()
        let diary = Diary()
        await bench.beacon.watch { diary.note($0) }
        try await bench.link { client in
            try await client.start()
            #expect(try await client.ask("42") == "604202")
            _ = try await client.ask("03")
        }
        let rules = diary.all.compactMap { if case .broke(let rule) = $0 { rule.id } else { nil } }
        #expect(rules == ["secure-unknown-request"])
    }

    @Test(
        arguments: [
            ([([1, 2], 0, 2), ([3], 2, 3)], [1, 2, 3]),
            // What follows was rolled back, and is sent again.
            ([([1, 2], 0, 2), ([3], 2, 3), ([4, 5], 1, 3)], [1, 4, 5]),
            // The last byte is a checksum.
            ([([1, 2, 9], 0, 2)], [1, 2]),
            // The beginning was not observed.
            ([([1], 5, 6)], []),
        ] as [([([UInt8], Int, Int)], [UInt8])])
    func `assembles an image as it was accepted`(_ notes: [([UInt8], Int, Int)], _ image: [UInt8]) {
        var watch = ClientWatch(report: { _ in }, reportedRules: 0)
        for (bytes, before, after) in notes { watch.note(bytes, accepted: before, after) }
        #expect(watch.image == image)
    }
}
