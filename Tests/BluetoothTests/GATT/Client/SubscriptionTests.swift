import Simulation
import Testing

@testable import Bluetooth

/// Vol 3, Part F, 3.4.7, and Part G, 3.3.3.3.
@Suite(.timeLimit(.minutes(10))) struct `A subscription` {
    @Test func `keeps a value that comes before its own acknowledgement`() async throws {
        try await onDiscoveredLink { client, peer in
            async let subscription = client.notifications(from: .value)
            await peer.hears("04 0e00 0e00")
            try await peer.says("05 01 0e00 0229")
            await peer.hears("12 0e00 0100")
            try await peer.says("1b 0d00 01")
            try await peer.says("13")
            try await peer.says("1b 0d00 02")
            let queue = try await subscription
            let clock = peer.time.clock
            #expect(await arrival(queue, .seconds(1), clock) == .value([1]))
            #expect(await arrival(queue, .seconds(1), clock) == .value([2]))
            #expect(await arrival(queue, .seconds(1), clock) == .timedOut)
            peer.end.close()
            #expect(await arrival(queue, .seconds(1), clock) == .disconnected)
        }
    }

    @Test func `ends with the link even when that ended first`() async throws {
        try await onDiscoveredLink { client, peer in
            async let subscription = client.notifications(from: .value)
            await peer.hears("04 0e00 0e00")
            try await peer.says("05 01 0e00 0229")
            await peer.hears("12 0e00 0100")
            try await peer.says("13")
            try await peer.says("1b 0d00")
            peer.end.close()
            let queue = try await subscription
            try await peer.pause()
            #expect(queue.drain() == [[]])
            #expect(await arrival(queue, .seconds(1), peer.time.clock) == .disconnected)
        }
    }

    @Test func `uses indications if there are no notifications, and confirms them`() async throws {
        try await onLink { client, peer in
            async let subscription = client.notifications(from: .value)
            await peer.hears("10 0100 ffff 0028")
            try await peer.says("11 06 0b00 ffff 59fe")
            await peer.hears("08 0b00 ffff 0328")
            try await peer.says("09 07 0c00 20 0d00 01aa")
            await peer.hears("08 0d00 ffff 0328")
            try await peer.says("01 08 0d00 0a")
            await peer.hears("04 0e00 ffff")
            try await peer.says("05 01 0e00 0229")
            await peer.hears("12 0e00 0200")
            try await peer.says("13")
            let queue = try await subscription
            try await peer.says("1d 0d00 05")
            await peer.hears("1e")
            // Unrequested indications are confirmed too.
            try await peer.says("1d 7700 06")
            await peer.hears("1e")
            #expect(queue.drain() == [[5]])
        }
    }

    @Test func `is refused if the characteristic does not notify`() async throws {
        try await onDiscoveredLink { client, peer in
            let error = await failure { () throws(GATTError) in try await client.notifications(from: .sink) }
            #expect(error == .unsuitable(.sink, needs: "notifications"))
            try await peer.hearsNothing()
        }
    }

    @Test func `is refused if there is no client configuration`() async throws {
        try await onDiscoveredLink { client, peer in
            async let error = failure { () throws(GATTError) in try await client.notifications(from: .value) }
            await peer.hears("04 0e00 0e00")
            try await peer.says("05 01 0e00 0129")
            #expect(await error == .unsuitable(.value, needs: "a client configuration descriptor"))
        }
    }

    @Test func `drops values of a handle without a subscriber`() async throws {
        try await onDiscoveredLink { client, peer in
            for packet in ["1b 0d00 01", "1b 7700 01", "23 0d00 0100 05"] { try await peer.says(packet) }
            try await peer.hearsNothing()
            #expect(await client.queues.isEmpty)
        }
    }

    @Test func `keeps the newest values of a flood`() async throws {
        try await onDiscoveredLink { client, peer in
            async let subscription = client.notifications(from: .value)
            await peer.hears("04 0e00 0e00")
            try await peer.says("05 01 0e00 0229")
            await peer.hears("12 0e00 0100")
            try await peer.says("13")
            let queue = try await subscription
            for number in 0..<10_000 {
                try await peer.end.send([0x1B, 0x0D, 0, UInt8(number & 0xFF), UInt8(number >> 8)])
            }
            try await peer.pause()
            let kept = queue.drain().map { Int($0[0]) | Int($0[1]) << 8 }
            #expect(kept == Array(10_000 - NotificationQueue.capacity..<10_000))
        }
    }
}
