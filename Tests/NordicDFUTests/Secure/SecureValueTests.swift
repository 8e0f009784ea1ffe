import Digests
import Testing

@testable import NordicDFU

@Suite struct `Flow control` {
    @Test func `asks for receipts only where packets are small`() {
        var flow = FlowControl(receiptInterval: nil)
        flow.begin(maximumWriteLength: 20)
        #expect(flow.receiptInterval == 12)
        flow.begin(maximumWriteLength: 244)
        #expect(flow.receiptInterval == 0)
    }

    @Test(arguments: [(0, 0), (1, 1), (12, 12), (65_535, 65_535), (65_536, 65_535), (-1, 0), (.max, 65_535)])
    func `does what the user wishes, within 16 bits`(_ wish: Int, _ interval: Int) {
        var flow = FlowControl(receiptInterval: wish)
        flow.begin(maximumWriteLength: 20)
        #expect(flow.receiptInterval == interval)
    }

    @Test(arguments: [(244, 244), (247, 244), (20, 20), (23, 20), (7, 4), (3, 4), (0, 4), (512, 512)])
    func `makes packets of whole words`(_ limit: Int, _ payload: Int) {
        var flow = FlowControl(receiptInterval: nil)
        flow.begin(maximumWriteLength: limit)
        #expect(flow.payload == payload)
    }

    @Test func `knows the bursts and pauses of large and of small packets`() {
        var flow = FlowControl(receiptInterval: nil)
        flow.begin(maximumWriteLength: 244)
        #expect(flow.burst(isFirst: true) == 10)
        #expect(flow.burst(isFirst: false) == 15)
        #expect(flow.pause(isFirst: true) == .milliseconds(370))
        #expect(flow.pause(isFirst: false) == .milliseconds(100))
        #expect(flow.restBeforeLastExecute == nil)
        flow.begin(maximumWriteLength: 20)
        #expect(flow.pause(isFirst: true) == .milliseconds(370))
        #expect(flow.pause(isFirst: false) == .milliseconds(200))
        #expect(flow.restBeforeLastExecute == .milliseconds(250))
    }

    @Test func `halves its window with each loss, down to one packet`() {
        var flow = FlowControl(receiptInterval: nil)
        flow.begin(maximumWriteLength: 244)
        var windows: [[Int]] = []
        for _ in 1...5 {
            flow.noteLoss()
            windows.append([flow.receiptInterval, flow.burst])
        }
        #expect(windows == [[8, 7], [4, 3], [2, 1], [1, 1], [1, 1]])
        #expect(flow.pause(isFirst: false) == .milliseconds(150))
    }

    @Test func `grows again after ten clean objects in a row`() {
        var flow = FlowControl(receiptInterval: nil)
        flow.begin(maximumWriteLength: 244)
        for _ in 1...4 { flow.noteLoss() }
        for _ in 1...9 { flow.noteClean() }
        #expect(flow.receiptInterval == 1)
        flow.noteLoss()
        for _ in 1...9 { flow.noteClean() }
        #expect(flow.receiptInterval == 1)
        flow.noteClean()
        #expect([flow.receiptInterval, flow.burst] == [2, 2])
        for _ in 1...60 { flow.noteClean() }
        #expect([flow.receiptInterval, flow.burst] == [12, 15])
    }

    @Test func `grows back to a wish above its own interval`() {
        var flow = FlowControl(receiptInterval: 100)
        flow.noteLoss()
        #expect(flow.receiptInterval == 50)
        for _ in 1...10 { flow.noteClean() }
        #expect(flow.receiptInterval == 100)
    }

    @Test func `does not grow where nothing was lost`() {
        var flow = FlowControl(receiptInterval: nil)
        flow.begin(maximumWriteLength: 244)
        for _ in 1...30 { flow.noteClean() }
        #expect(flow.receiptInterval == 0)
    }

    @Test func `remembers a loss over a new link`() {
        var flow = FlowControl(receiptInterval: nil)
        flow.begin(maximumWriteLength: 244)
        flow.noteLoss()
        flow.begin(maximumWriteLength: 244)
        #expect([flow.receiptInterval, flow.burst] == [8, 7])
    }
}

@Suite struct `A transfer of an object` {
    private let source = Subject.image(1000)

    private func flow(_ receipts: Int) -> FlowControl {
        var flow = FlowControl(receiptInterval: receipts)
        flow.begin(maximumWriteLength: 20)
        return flow
    }

    @Test func `counts the packets up to the pause, to the receipt, and to its end`() {
        var transfer = SecureTransfer(.data, 0..<1000, after: 0, isFirst: true)
        #expect(transfer.nextCount(flow(0)) == 200)
        #expect(transfer.nextCount(flow(4)) == 80)
        transfer.burstPackets = nil
        #expect(transfer.nextCount(flow(0)) == 1000)
        transfer.advance(by: 990, of: source, flow(0))
        #expect(transfer.nextCount(flow(0)) == 10)
        #expect(transfer.sinceReceipt == 50)
    }

    @Test func `waits behind a Create, not in an init packet`() {
        #expect(SecureTransfer(.data, 0..<1000, after: 0, isFirst: false).nextCount(flow(0)) == 300)
        #expect(SecureTransfer(.command, 0..<1000, after: 0, isFirst: false).nextCount(flow(0)) == 1000)
    }

    @Test func `carries the checksum of everything before it`() {
        let base = CRC32.checksum(source[..<400])
        var transfer = SecureTransfer(.data, 400..<800, after: base, isFirst: false)
        transfer.advance(by: 300, of: source, flow(0))
        let right = SecureProgress(offset: 700, crc: CRC32.checksum(source[..<700]))
        #expect(transfer.agrees(with: right))
        #expect(!transfer.agrees(with: SecureProgress(offset: 701, crc: right.crc)))
        #expect(!transfer.agrees(with: SecureProgress(offset: 700, crc: right.crc ^ 1)))
        #expect(!transfer.isSent)
        transfer.advance(by: 100, of: source, flow(0))
        #expect(transfer.isSent)
        #expect(transfer.nextCount(flow(0)) == 0)
        transfer.restart()
        #expect(transfer.agrees(with: SecureProgress(offset: 400, crc: base)))
        #expect(transfer.sinceReceipt == 0)
        #expect(transfer.burstPackets == 0)
    }
}

@Suite struct `A resume point` {
    private let image = Subject.image(10_000)

    private func point(_ offset: Int, crc: UInt32? = nil, maximum: Int = 4096) -> ResumePoint {
        let right = CRC32.checksum(image[..<min(offset, image.count)])
        let progress = SecureProgress(offset: offset, crc: crc ?? right)
        return ResumePoint(image: image, held: progress, maximum: maximum)
    }

    @Test func `of an image follows the table of the protocol page`() {
        let crc = CRC32.checksum(image[..<5000])
        let aligned = CRC32.checksum(image[..<8192])
        #expect(point(0, crc: 0x26000) == .fresh)
        #expect(point(5000) == .goOn(at: 5000, checksum: crc))
        #expect(point(8192) == .executeAndGoOn(at: 8192, checksum: aligned))
        #expect(point(10_000) == .execute)
        #expect(point(10_001) == .recreate(at: 8192))
        #expect(point(5000, crc: 1) == .recreate(at: 4096))
        #expect(point(8192, crc: 1) == .recreate(at: 4096))
        #expect(point(4096, crc: 1) == .recreate(at: 0))
        #expect(point(1, crc: 1) == .recreate(at: 0))
        #expect(point(5002) == .recreate(at: 4096))
    }

    @Test(arguments: [1, 2, 3, 5, 4096, 10_000, 10_001, 0xFFFF_FFFF])
    func `of an image lies inside it, whatever the device says`(_ maximum: Int) {
        for offset in [
            1, 2, 3, 4095, 4096, 4097, 9999, 10_000, 10_001, 0x7FFF_FFFF, 0xFFFF_FFFE, 0xFFFF_FFFF,
        ] {
            for crc in [nil, 0, 0xFFFF_FFFF] as [UInt32?] {
                switch point(offset, crc: crc, maximum: maximum) {
                case .fresh: Issue.record("offset \(offset) is not nothing")
                case .recreate(let start):
                    #expect((0..<image.count).contains(start))
                    #expect(start.isMultiple(of: maximum))
                case .goOn(let place, _): #expect((1..<image.count).contains(place))
                case .executeAndGoOn(let place, _):
                    #expect((maximum..<image.count).contains(place))
                case .execute: #expect(offset == image.count)
                }
            }
        }
    }

    @Test func `of an init packet is all, a part, or nothing`() {
        let packet = Subject.initPacket
        func point(_ offset: Int, _ crc: UInt32) -> ResumePoint {
            ResumePoint(command: packet, held: SecureProgress(offset: offset, crc: crc))
        }
        let half = CRC32.checksum(packet[..<70])
        #expect(point(0, 5) == .fresh)
        #expect(point(70, half) == .goOn(at: 70, checksum: half))
        #expect(point(70, half ^ 1) == .fresh)
        #expect(point(140, CRC32.checksum(packet)) == .execute)
        #expect(point(141, CRC32.checksum(packet)) == .fresh)
        #expect(point(0xFFFF_FFFF, 0) == .fresh)
    }
}
