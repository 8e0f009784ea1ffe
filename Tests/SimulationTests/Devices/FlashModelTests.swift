import Simulation
import Testing

@Suite struct `A flash` {
    @Test func `erases a page in 87 ms and writes 20 bytes in 1.1 ms, one after the other`() {
        var flash = FlashModel(timing: .stock, capacity: 16)
        #expect(flash.append(.erase(0x1000), at: .zero) == .zero)
        #expect(
            flash.append(.write([UInt8](repeating: 1, count: 244), at: 0x1000), at: .zero)
                == .milliseconds(87))
        #expect(flash.idle(at: .zero) == .microseconds(87_000 + 13 * 1100))
        flash.advance(to: .milliseconds(101))
        #expect(flash.content(0x1000..<0x1004) == [255, 255, 255, 255])
        flash.advance(to: .microseconds(101_300))
        #expect(flash.content(0x1000..<0x1004) == [1, 1, 1, 1])
    }

    @Test func `accepts no more than its queue holds`() {
        var flash = FlashModel(timing: .stock, capacity: 2)
        #expect(flash.append(.erase(0), at: .zero) != nil)
        #expect(flash.append(.erase(4096), at: .zero) != nil)
        #expect(flash.isFull)
        #expect(flash.append(.erase(8192), at: .zero) == nil)
        #expect(flash.append(.erase(8192), at: .milliseconds(87)) != nil)
    }

    @Test func `only clears bits, and writes from the word below`() {
        var flash = FlashModel(timing: .instant, capacity: 2)
        _ = flash.append(.write([0xF0, 0xF0], at: 0), at: .zero)
        _ = flash.append(.write([0x3C, 0x3C, 0x3C], at: 2), at: .zero)
        flash.advance(to: .zero)
        #expect(flash.content(0..<4) == [0x30, 0x30, 0x3C, 0xFF])
    }

    @Test func `loses its queue at a reset, and a write that it drops`() {
        var flash = FlashModel(timing: .stock, capacity: 4)
        flash.lostWrites = [1]
        _ = flash.append(.write([1, 1, 1, 1], at: 0), at: .zero)
        _ = flash.append(.write([2, 2, 2, 2], at: 4), at: .zero)
        _ = flash.append(.write([3, 3, 3, 3], at: 8), at: .zero)
        flash.advance(to: .microseconds(2200))
        flash.dropQueue()
        flash.advance(to: .seconds(1))
        #expect(flash.content(0..<12) == [255, 255, 255, 255, 2, 2, 2, 2, 255, 255, 255, 255])
    }

    @Test func `reports changes, in whole pages and words`() {
        var flash = FlashModel(timing: .instant, capacity: 4)
        _ = flash.append(.erase(0x1000), at: .zero)
        _ = flash.append(.write([1, 2, 3], at: 0x1004), at: .zero)
        #expect(flash.takeChanges() == [0x1000..<0x2000, 0x1004..<0x1008])
        #expect(flash.takeChanges().isEmpty)
    }
}
