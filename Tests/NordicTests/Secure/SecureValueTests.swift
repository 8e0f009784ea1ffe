import Bytes
import Testing

@testable import Nordic

@Suite struct `A transfer of an object` {
    private let source = SecureSubject.image(1000)

    private func flow(_ receipts: Int?) -> FlowControl {
        var flow = FlowControl(receiptInterval: receipts)
        flow.begin(maximumWriteLength: 20)
        flow.commandMaximum = 512
        return flow
    }

    private func data(isFirst: Bool = false, _ flow: FlowControl) -> SecureTransfer {
        var transfer = SecureTransfer(.data, 0..<1000, after: 0, isFirst: isFirst)
        transfer.begin(flow, after: Exchange(asked: .milliseconds(-30), answered: .zero))
        return transfer
    }

    @Test func `proceeds to the erase, to the receipt, and to its end`() {
        #expect(data(isFirst: true, flow(nil)).next(flow(nil), at: .zero) == .send(200))
        #expect(data(flow(nil)).next(flow(nil), at: .zero) == .send(300))
        #expect(data(flow(4)).next(flow(4), at: .zero) == .send(80))
        let command = SecureTransfer(.command, 0..<1000, after: 0, isFirst: false)
        #expect(command.next(flow(0), at: .zero) == .send(1000))
        var ending = command
        ending.advance(by: 990, of: source, flow(0), from: .zero, to: .zero)
        #expect(ending.next(flow(0), at: .zero) == .send(10))
    }

    @Test func `waits for the flash, and for receipts`() {
        var flow = flow(nil)
        flow.note(roundTrip: .milliseconds(30))
        var transfer = data(flow)
        transfer.advance(by: 300, of: source, flow, from: .zero, to: .zero)
        guard case .rest(let moment) = transfer.next(flow, at: .zero) else {
            Issue.record("no rest")
            return
        }
        #expect(moment > .milliseconds(75) && moment < .milliseconds(100))
        // At 15 ms, receipts that have not come by then are overdue.
        #expect(transfer.next(flow, at: moment) == .awaitReceipt)
        let receipt = SecureProgress(offset: 240, crc: CRC32.checksum(source[..<240]))
        let isTaken = transfer.acceptReceipt(receipt, of: source, flow, at: moment, isFresh: false)
        #expect(isTaken)
        guard case .send(let count) = transfer.next(flow, at: moment) else {
            Issue.record("nothing to send")
            return
        }
        #expect(count > 0 && count <= 320)
        var receipts = data(self.flow(4))
        receipts.advance(by: 80, of: source, self.flow(4), from: .zero, to: .zero)
        #expect(receipts.next(self.flow(4), at: .seconds(1)) == .awaitReceipt)
    }

    @Test func `accepts receipts where they are due, with the checksum up to there`() {
        let flow = flow(4)
        var transfer = data(flow)
        transfer.advance(by: 240, of: source, flow, from: .zero, to: .zero)
        func progress(_ offset: Int, _ change: UInt32 = 0) -> SecureProgress {
            SecureProgress(offset: offset, crc: CRC32.checksum(source[..<offset]) ^ change)
        }
        for wrong in [progress(0), progress(60), progress(80, 1), progress(320)] {
            var other = transfer
            let isTaken = other.acceptReceipt(wrong, of: source, flow, at: .zero, isFresh: false)
            #expect(!isTaken)
            #expect(other.outstanding(flow) == 12)
        }
        var taken: [Bool] = []
        for offset in [160, 80, 240] {
            taken.append(
                transfer.acceptReceipt(progress(offset), of: source, flow, at: .zero, isFresh: false))
            taken.append(transfer.outstanding(flow) == 240 / 20 - (offset == 240 ? 12 : 8))
        }
        #expect(taken == [true, true, false, true, true, true])
    }

    @Test func `carries the checksum of everything before it`() {
        let base = CRC32.checksum(source[..<400])
        var transfer = SecureTransfer(.data, 400..<800, after: base, isFirst: false)
        transfer.advance(by: 300, of: source, flow(0), from: .zero, to: .zero)
        let right = SecureProgress(offset: 700, crc: CRC32.checksum(source[..<700]))
        #expect(transfer.agrees(with: right))
        #expect(!transfer.agrees(with: SecureProgress(offset: 701, crc: right.crc)))
        #expect(!transfer.agrees(with: SecureProgress(offset: 700, crc: right.crc ^ 1)))
        #expect(!transfer.isSent)
        transfer.advance(by: 100, of: source, flow(0), from: .zero, to: .zero)
        #expect(transfer.isSent)
        #expect(transfer.lacksEverything(SecureProgress(offset: 400, crc: base), flow(0)))
        #expect(!transfer.lacksEverything(SecureProgress(offset: 700, crc: base), flow(0)))
    }

    @Test(arguments: [(400, false, false), (600, true, false), (800, true, true)])
    func `includes what the device had of it before`(_ start: Int, _ inside: Bool, _ whole: Bool) {
        let base = CRC32.checksum(source[..<start])
        let transfer =
            start == 400
            ? SecureTransfer(.data, 400..<800, after: base, isFirst: false)
            : SecureTransfer(.data, 400..<800, after: base, isFirst: true, resumingAt: start)
        #expect(transfer.agrees(with: SecureProgress(offset: start, crc: base)))
        #expect(transfer.outstanding(flow(4)) == 0)
        #expect(transfer.hasResumedInside == inside)
        #expect(transfer.wasComplete == whole)
    }
}

@Suite struct `A resume point` {
    private let image = SecureSubject.image(10_000)

    private func point(_ offset: Int, crc: UInt32? = nil, maximum: Int = 4096) -> ResumePoint {
        let right = CRC32.checksum(image[..<min(offset, image.count)])
        let progress = SecureProgress(offset: offset, crc: crc ?? right)
        return ResumePoint(image: image, held: progress, maximum: maximum)
    }

    @Test func `of an image follows the table of the protocol page`() {
        #expect(point(0, crc: 0x26000) == .fresh)
        #expect(point(5000) == .sendRest)
        #expect(point(8192) == .executeAndSendRest)
        #expect(point(10_000) == .execute)
        #expect(point(10_001) == .recreate(at: 8192))
        #expect(point(5000, crc: 1) == .recreate(at: 4096))
        #expect(point(8192, crc: 1) == .recreate(at: 4096))
        #expect(point(4096, crc: 1) == .recreate(at: 0))
        #expect(point(1, crc: 1) == .recreate(at: 0))
        #expect(point(5002) == .recreate(at: 4096))
    }

    @Test(arguments: [1, 2, 3, 5, 4096, 10_000, 10_001, 0xFFFF_FFFF])
    func `of an image is inside it, whatever the device reports`(_ maximum: Int) {
        for offset in [
            1, 2, 3, 4095, 4096, 4097, 9999, 10_000, 10_001, 0x7FFF_FFFF, 0xFFFF_FFFE, 0xFFFF_FFFF,
        ] {
            for crc in [nil, 0, 0xFFFF_FFFF] as [UInt32?] {
                switch point(offset, crc: crc, maximum: maximum) {
                case .fresh: Issue.record("offset \(offset) is not nothing")
                case .recreate(let start):
                    #expect((0..<image.count).contains(start))
                    #expect(start.isMultiple(of: maximum))
                case .sendRest: #expect((1..<image.count).contains(offset))
                case .executeAndSendRest: #expect((maximum..<image.count).contains(offset))
                case .execute: #expect(offset == image.count)
                }
            }
        }
    }

    @Test func `of an init packet is all, a part, or nothing`() {
        let packet = SecureSubject.initPacket
        func point(_ offset: Int, _ crc: UInt32) -> ResumePoint {
            ResumePoint(command: packet, held: SecureProgress(offset: offset, crc: crc))
        }
        let half = CRC32.checksum(packet[..<70])
        #expect(point(0, 5) == .fresh)
        #expect(point(70, half) == .sendRest)
        #expect(point(70, half ^ 1) == .fresh)
        #expect(point(140, CRC32.checksum(packet)) == .execute)
        #expect(point(141, CRC32.checksum(packet)) == .fresh)
        #expect(point(0xFFFF_FFFF, 0) == .fresh)
    }
}
