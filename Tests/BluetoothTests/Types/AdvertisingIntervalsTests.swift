import Bluetooth
import Testing

@Suite struct `The interval of advertisements` {
    private static let peer = DeviceAddress([0xF0, 0x0D, 0, 0, 0, 1])

    private struct Known: Equatable {
        let most: Int?
        let isConfirmed: Bool?
        let interval: Int?

        init(_ most: Int?, _ isConfirmed: Bool?, _ interval: Int?) {
            (self.most, self.isConfirmed, self.interval) = (most, isConfirmed, interval)
        }
    }

    /// What is known at `now` of a peer that was heard at these milliseconds; the last time since `begin`.
    private static func known(
        _ moments: [Int], since begin: Int? = 0, silent: (Int, Int)? = nil, at now: Int? = nil
    ) throws -> Known {
        let peer = try #require(peer)
        var intervals = AdvertisingIntervals()
        for (number, moment) in moments.enumerated() {
            if let silent, number == moments.count - 1 {
                intervals.noteSilence(from: .milliseconds(silent.0), to: .milliseconds(silent.1))
            }
            let isLast = number == moments.count - 1
            intervals.hear(
                peer, at: .milliseconds(moment), since: isLast ? begin.map { .milliseconds($0) } : .zero)
        }
        let time = intervals.connectionTime(of: peer, at: .milliseconds(now ?? moments.last ?? 0))
        func count(_ length: Duration?) -> Int? { length.map { Int($0 / .milliseconds(1)) } }
        return Known(count(time?.most), time?.isConfirmed, count(intervals.interval(of: peer)))
    }

    @Test func `is the time between two reports, and a link may take two of it`() throws {
        #expect(try Self.known([2000, 12_240]) == Known(21_480, true, 10_240))
        #expect(try Self.known([90, 190, 290]) == Known(1200, true, 100))
    }

    /// A device that starts advertises at once.
    @Test func `is unknown after one report, however soon that came`() throws {
        for moment in [10, 5000] { #expect(try Self.known([moment]) == Known(21_500, false, nil)) }
        #expect(try Self.known([5000], since: nil) == Known(21_500, false, nil))
    }

    @Test func `is not that of a listener that hears each device only now and then`() throws {
        // The discovery of the second report began 20 ms before it.
        #expect(try Self.known([90, 4110], since: 4090) == Known(1720, true, nil))
        #expect(try Self.known([90, 4110], since: 4090, silent: (1000, 4000)) == Known(9040, true, 4020))
    }

    @Test func `is at most the longest one allowed, of which longer times are multiples`() throws {
        #expect(try Self.known([0, 20_480]) == Known(21_480, true, 10_240))
        #expect(try Self.known([3000, 3_603_000]).most ?? .max <= 21_500)
    }

    @Test func `does not count a scan response`() throws {
        #expect(try Self.known([500, 503]) == Known(21_500, false, nil))
    }

    @Test func `is unknown half a minute after the last report, and of another program`() throws {
        #expect(try Self.known([1000, 2000], at: 32_000).most == 3000)
        #expect(try Self.known([1000, 2000], at: 32_001).most == nil)
        let peer = try #require(Self.peer)
        var intervals = AdvertisingIntervals()
        intervals.hear(peer, at: .seconds(1), since: .zero)
        intervals.forget(peer)
        #expect(intervals.connectionTime(of: peer, at: .seconds(1)) == nil)
    }

    @Test func `is kept of as many devices as an adapter remembers, the silent ones of which are forgotten`()
    {
        var intervals = AdvertisingIntervals()
        let peers = (0...SightingMemory.most).compactMap {
            DeviceAddress([0xF0, 0, 0, 0, UInt8($0 >> 8), UInt8($0 & 0xFF)])
        }
        for peer in peers { intervals.hear(peer, at: .seconds(1), since: .zero) }
        #expect(
            peers.count { intervals.connectionTime(of: $0, at: .seconds(1)) != nil } == SightingMemory.most)
        intervals.hear(peers[SightingMemory.most], at: .seconds(40), since: .zero)
        #expect(peers.count { intervals.connectionTime(of: $0, at: .seconds(1)) != nil } == 1)
    }
}
