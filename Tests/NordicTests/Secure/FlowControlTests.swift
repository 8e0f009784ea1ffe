import Testing
import UpdateModel

@testable import Nordic

@Suite struct `Flow control` {
    /// A link to a device that reports this limit for init packets.
    private func flow(
        _ limit: Int, receipts: Int? = nil, command: Int = 512
    ) -> FlowControl {
        var flow = FlowControl(receiptInterval: receipts)
        flow.begin(maximumWriteLength: limit)
        flow.commandMaximum = command
        return flow
    }

    /// When the next packet may leave after `burst` immediate ones, after a Create that was answered at 0.
    private func rest(_ flow: FlowControl, isFirst: Bool = false, count: Int) -> Int {
        var forecast = flow.forecast(isFirst: isFirst, from: Exchange(asked: .zero, answered: .zero))
        forecast.send(forecast.capacity(at: .zero), from: .zero, to: .zero)
        return Int((forecast.moment(for: count) / .milliseconds(1)).rounded())
    }

    /// The longest times for a packet in a forecast, in microseconds: after the longest erase, and after none.
    private func packetTimes(_ flow: FlowControl) -> [Int]? {
        let forecast = flow.forecast(isFirst: false, from: Exchange(asked: .zero, answered: .zero))
        return (forecast as? QueueForecast).map {
            [$0.packetTime, $0.longestPacketTime].map { Int($0 / .microseconds(1)) }
        }
    }

    @Test(arguments: [(20, 6), (64, 6), (96, 6), (112, 6), (116, 0), (124, 0), (128, 0), (182, 0), (244, 0)])
    func `requests receipts only if an object has many packets`(_ limit: Int, _ interval: Int) {
        #expect(flow(limit).receiptInterval == interval)
    }

    @Test(arguments: [(0, 0), (1, 1), (12, 12), (65_535, 65_535), (65_536, 65_535), (-1, 0), (.max, 65_535)])
    func `follows the user's setting, within 16 bits`(_ requested: Int, _ interval: Int) {
        #expect(flow(20, receipts: requested).receiptInterval == interval)
        #expect(flow(20, receipts: requested).window == interval)
    }

    @Test(arguments: [(244, 244), (247, 244), (20, 20), (23, 20), (7, 4), (3, 4), (0, 4), (512, 512)])
    func `makes packets of whole words`(_ limit: Int, _ payload: Int) {
        #expect(flow(limit).payload == payload)
    }

    @Test func `reserves a place of the flash queue for the erase, and five for the settings`() {
        #expect(
            flow(244).forecast(isFirst: false, from: Exchange(asked: .zero, answered: .zero)).capacity(
                at: .zero)
                == 15)
        #expect(
            flow(244).forecast(isFirst: true, from: Exchange(asked: .zero, answered: .zero)).capacity(
                at: .zero)
                == 10)
    }

    /// 90 ms and 3 for the erase, less the 7.5 that the answer took at least, and then what must be written before the
    /// next packet has a place.
    @Test(
        arguments: [
            (244, false, 1, 100), (244, false, 2, 114),  // packets of 14.3 ms
            (244, true, 7, 393),  // three erases and 90 pieces more, two packets
            (20, false, 8, 96),
        ])
    func `waits until the flash has space`(_ limit: Int, _ isFirst: Bool, _ count: Int, _ wanted: Int) {
        #expect(abs(rest(flow(limit), isFirst: isFirst, count: count) - wanted) <= 1)
    }

    @Test func `waits longer after a loss`() {
        var flow = flow(244)
        flow.noteLoss()
        // Five packets left at once, two are left of the window. An erase is estimated at 50 ms more.
        #expect(abs(rest(flow, isFirst: true, count: 2) - 515) <= 1)
    }

    @Test func `waits 200 ms after a Create, and 250 before the last Execute, on an old target`() {
        let old = flow(20, command: 256)
        #expect(old.isOldTarget)
        #expect(old.restBeforeLastExecute(idle: nil) == .milliseconds(250))
        #expect(old.restBeforeLastExecute(idle: .milliseconds(40)) == .milliseconds(100))
        #expect(old.restBeforeLastExecute(idle: .milliseconds(-5)) == .milliseconds(60))
        #expect(old.restBeforeLastExecute(idle: .milliseconds(200)) == .milliseconds(250))
        #expect(rest(old, count: 1) >= 200)
        #expect(flow(20).restBeforeLastExecute(idle: nil) == nil)
        #expect(flow(244, command: 256).restBeforeLastExecute(idle: nil) == nil)
    }

    @Test func `waits less on slower links`() {
        var slow = flow(244)
        slow.note(roundTrip: .milliseconds(100))
        let quick = flow(244).forecast(isFirst: false, from: Exchange(asked: .zero, answered: .zero))
        #expect(
            slow.forecast(isFirst: false, from: Exchange(asked: .milliseconds(-100), answered: .zero)).erased
                == quick
                .erased - .microseconds(42_500))
    }

    @Test(
        arguments: [
            // Two erases and 90 writes of 20 bytes, or one and 22. A stock flash takes 279 and 114.2 ms.
            (512, 60, true, 19_354, 236), (512, 30, true, 9677, 118), (256, 60, true, 47_285, 577),
            (512, 285, false, 90_000, 1100), (512, 3000, true, 90_000, 1100),
        ])
    func `estimates the slowest possible flash from what it wrote in a given time`(
        _ command: Int, _ milliseconds: Int, _ atOnce: Bool, _ erase: Int, _ write: Int
    ) {
        var flow = flow(244, command: command)
        flow.note(settingsWithin: .milliseconds(milliseconds), atOnce: atOnce)
        #expect(Int(flow.pace.erase / .microseconds(1)) == erase)
        #expect(Int(flow.pace.piece / .microseconds(1)) == write)
    }

    /// 163 ms leave 0.335 ms for each of 218 pieces after an erase of 90 ms, and 0.748 ms after one that takes no time.
    @Test func `takes writes for faster if the last object leaves less time for them`() {
        var flow = flow(244)
        flow.note(objectOf: 4096, within: .milliseconds(160))
        #expect(packetTimes(flow) == [4353, 9720])
        #expect(abs(rest(flow, count: 1) - 90) <= 1)
        // Neither what else the forecasts assume nor the first object changes.
        #expect(flow.packetTime == .microseconds(14_300) && !flow.isQuick)
        #expect(abs(rest(flow, isFirst: true, count: 7) - 393) <= 1)
    }

    @Test(arguments: [330, 345, 1000]) func `takes no writes for slower than those of a stock flash`(
        _ milliseconds: Int
    ) {
        var flow = flow(244)
        flow.note(objectOf: 4096, within: .milliseconds(milliseconds))
        #expect(packetTimes(flow) == [14_300, 14_300])
    }

    @Test func `forgets an object's time after a loss, and if the next one's is unknown`() {
        var flow = flow(244)
        let stock = rest(flow, count: 1)
        flow.note(objectOf: 4096, within: .milliseconds(160))
        #expect(rest(flow, count: 1) < stock)
        flow.note(objectOf: 4096, within: nil)
        #expect(rest(flow, count: 1) == stock)
        flow.note(objectOf: 4096, within: .milliseconds(160))
        let before = flow
        flow.noteGap()
        #expect(rest(flow, count: 1) == stock)
        flow = before
        flow.noteLoss()
        // Seven packets leave at once, in half the queue, and an erase is estimated at 50 ms more.
        #expect(rest(flow, count: 1) >= stock + 50)
    }

    @Test func `assumes a slower flash after a wait longer than expected`() {
        var flow = flow(244)
        flow.note(settingsWithin: .milliseconds(900), atOnce: false)
        #expect(flow.pace.erase > .milliseconds(200))
        #expect(flow.pace.piece > .microseconds(2500))
        flow = self.flow(244)
        // Sixteen packets wait at most: 16 · 14.3 ms.
        flow.note(busyFor: .milliseconds(230))
        #expect(flow.pace == .stock)
        flow.note(busyFor: .milliseconds(500))
        #expect(flow.pace.piece > .milliseconds(2))
    }

    @Test func `halves its window with each loss, down to one packet`() {
        var flow = flow(244)
        flow.packetsSent = 10_000
        flow.note(roundTrip: .milliseconds(60))
        var windows: [[Int]] = []
        for _ in 1...5 {
            flow.noteLoss()
            windows.append([flow.receiptInterval, flow.window, flow.places])
        }
        #expect(windows == [[8, 8, 8], [4, 4, 4], [2, 2, 2], [1, 1, 2], [1, 1, 2]])
        // The last packet was alone on the way: neither it nor earlier ones indicate anything about the flash.
        #expect(flow.pace == .stock)
    }

    @Test func `assumes a slower erase with each loss, until a single packet was on the way`() {
        var flow = flow(244)
        flow.packetsSent = 10_000
        flow.note(roundTrip: .milliseconds(60))
        for _ in 1...4 { flow.noteLoss() }
        #expect(flow.pace.erase == .milliseconds(290))
        flow.noteGap()
        #expect(flow.pace == .stock)
        flow.noteLoss()
        #expect(flow.pace == .stock)
    }

    /// One in 20 to one in 1000 packets; an object has 17 or 205.
    @Test(arguments: [(244, 20, 1), (244, 100, 2), (244, 1000, 4), (20, 100, 1), (20, 1000, 4)])
    func `switches at the second loss to the receipts with the lowest cost`(
        _ limit: Int, _ packets: Int, _ most: Int
    ) {
        var flow = flow(limit)
        flow.note(roundTrip: .milliseconds(30))
        flow.note(sent: packets * flow.payload)
        flow.noteLoss()
        #expect(flow.receiptInterval == (limit == 20 ? 3 : 8))
        flow.note(sent: packets * flow.payload)
        flow.noteLoss()
        #expect(flow.receiptInterval <= most)
    }

    @Test func `allows a receipt time for repeated packets after losses`() {
        var flow = flow(244)
        flow.note(roundTrip: .milliseconds(30))
        #expect(flow.receiptDeadline(of: 1) == .milliseconds(100))
        #expect(flow.receiptDeadline(of: 8) == .milliseconds(300))
    }

    /// Sixteen packets of 5.5 ms are written before Execute can be answered at 30 ms, those of 14.3 ms are not.
    @Test(arguments: [(96, 30, true), (96, 15, false), (244, 30, false), (20, 30, false)])
    func `holds nothing back if that would cost an event, until something is lost`(
        _ limit: Int, _ interval: Int, _ isExact: Bool
    ) {
        var flow = flow(limit)
        flow.note(roundTrip: .milliseconds(2 * interval))
        #expect(flow.isExact == isExact)
        guard isExact else { return }
        let receipts = flow.receiptInterval
        let created = Exchange(asked: .zero, answered: .milliseconds(2 * interval))
        // An erase of 87 ms, one of 90 ms, and then 3 ms and another place in the queue.
        var forecasts: [any FlashForecast] = []
        for isExact in [true, true, false] {
            #expect(flow.isExact == isExact && !flow.hasLost)
            #expect(flow.receiptInterval == receipts && flow.pace == .stock)
            forecasts.append(flow.forecast(isFirst: false, from: created))
            flow.noteLoss()
        }
        #expect(flow.hasLost)
        let erased = forecasts.map { ($0 as? QueueForecast)?.erased ?? .zero }
        #expect([erased[1] - erased[0], erased[2] - erased[1]] == [.milliseconds(3), .milliseconds(3)])
    }

    /// Settings that were written without a wait reveal only the round trip.
    @Test func `tries a faster flash after it held packets back from an idle one`() {
        var flow = flow(24)
        flow.note(roundTrip: .milliseconds(50))
        flow.note(settingsWithin: .milliseconds(100), atOnce: true)
        #expect(!flow.isQuick)
        flow.hasHeldBack = true
        flow.noteExecuted(atOnce: true)
        #expect(flow.isQuick && flow.isTrial)
        flow.noteExecuted(atOnce: true)
        #expect(flow.isQuick && !flow.isTrial)
    }

    @Test func `grows again after ten clean objects in a row, and finally requests no receipts`() {
        var flow = flow(244)
        flow.packetsSent = 10_000
        flow.note(roundTrip: .milliseconds(60))
        for _ in 1...4 { flow.noteLoss() }
        for _ in 1...9 { flow.noteObjectWithoutLoss() }
        #expect(flow.receiptInterval == 1)
        flow.noteLoss()
        for _ in 1...9 { flow.noteObjectWithoutLoss() }
        #expect(flow.receiptInterval == 1)
        flow.noteObjectWithoutLoss()
        #expect([flow.receiptInterval, flow.places] == [2, 4])
        for _ in 1...30 { flow.noteObjectWithoutLoss() }
        #expect([flow.receiptInterval, flow.places] == [12, 16])
        for _ in 1...10 { flow.noteObjectWithoutLoss() }
        #expect(flow.receiptInterval == 0)
        // Earlier losses do not count any more.
        flow.noteLoss()
        #expect(flow.receiptInterval == 8)
    }

    @Test func `does not wait for receipts of a device that sends none`() {
        var flow = flow(20)
        flow.answersAsOld = false
        flow.note(roundTrip: .milliseconds(15))
        let created = Exchange(asked: .zero, answered: .milliseconds(15))
        func isOverdue() -> Bool {
            var forecast = flow.forecast(isFirst: false, from: created)
            forecast.send(12, from: .milliseconds(120), to: .milliseconds(121))
            return forecast.isOverdue(5, at: .seconds(1))
        }
        #expect(isOverdue())
        flow.missedReceipts = 1
        #expect(isOverdue())
        flow.missedReceipts = 2
        #expect(!isOverdue())
    }

    @Test func `keeps its measurements of the flash over a single loss`() {
        var flow = flow(244)
        flow.note(roundTrip: .milliseconds(60))
        flow.noteLoss()
        flow.note(busyFor: .seconds(2))
        let measured = flow.pace
        flow.noteGap()
        #expect(flow.pace == measured)
    }

    @Test func `never exceeds a setting for fewer packets per receipt`() {
        var flow = FlowControl(receiptInterval: 1)
        flow.noteLoss()
        for _ in 1...40 { flow.noteObjectWithoutLoss() }
        #expect(flow.receiptInterval == 1)
    }

    @Test(arguments: [20, 244]) func `stays slower after the flash did not hold correctly received data`(
        _ limit: Int
    ) {
        var flow = flow(limit)
        flow.note(roundTrip: .milliseconds(60))
        let before = flow.pace.erase
        flow.noteFlashFailure()
        #expect(flow.pace.erase > before && flow.places == 8 && !flow.isTrial)
        flow.noteGap()
        #expect(flow.pace.erase > before)
    }

    @Test func `grows back to a setting above its own interval`() {
        var flow = FlowControl(receiptInterval: 100)
        flow.noteLoss()
        #expect(flow.receiptInterval == 50)
        for _ in 1...10 { flow.noteObjectWithoutLoss() }
        #expect(flow.receiptInterval == 100)
    }

    @Test func `does not grow if nothing was lost`() {
        var flow = flow(244)
        for _ in 1...30 { flow.noteObjectWithoutLoss() }
        #expect([flow.receiptInterval, flow.places] == [0, 16])
    }

    @Test func `remembers a loss on a new link`() {
        var flow = flow(244)
        flow.noteLoss()
        flow.begin(maximumWriteLength: 244)
        #expect([flow.receiptInterval, flow.places] == [8, 8])
        #expect(flow.pace.erase == .milliseconds(140))
    }

    @Test func `goes down to the smallest MTU when nothing of an object arrives, twice in a row`() {
        var flow = flow(244)
        flow.noteLoss(everything: true)
        flow.noteLoss()
        flow.noteLoss(everything: true)
        #expect(flow.payload == 244)
        flow.noteLoss(everything: true)
        #expect(flow.payload == 20)
        #expect(flow.longestPayload == 20)
        flow.begin(maximumWriteLength: 244)
        #expect(flow.payload == 20)
    }
}

@Suite struct `A forecast of a flash queue` {
    private func forecast() -> QueueForecast {
        QueueForecast(
            erased: .milliseconds(90), burst: 15, backlog: 4, packetTime: .milliseconds(10),
            longestPacketTime: .milliseconds(10), delay: .zero)
    }

    @Test func `counts packets as written one interval later`() {
        var forecast = QueueForecast(
            erased: .milliseconds(90), burst: 15, backlog: 4, packetTime: .milliseconds(10),
            longestPacketTime: .milliseconds(10), delay: .milliseconds(30))
        forecast.send(1, from: .milliseconds(100), to: .milliseconds(100))
        #expect(forecast.capacity(at: .milliseconds(139)) == 3)
        #expect(forecast.capacity(at: .milliseconds(140)) == 4)
    }

    /// The flash may have been idle before, since a fast erase leaves time for slow writes.
    @Test func `allows slow writes of packets that arrive late`() {
        var forecast = QueueForecast(
            erased: .milliseconds(90), burst: 15, backlog: 4, packetTime: .milliseconds(1),
            longestPacketTime: .milliseconds(10), delay: .zero)
        forecast.send(2, from: .zero, to: .zero)
        #expect(forecast.idle == .milliseconds(92))
        forecast.send(2, from: .milliseconds(100), to: .milliseconds(100))
        #expect(forecast.idle == .milliseconds(120))
    }

    @Test func `releases a burst at once, and the rest as packets are written`() {
        var forecast = forecast()
        #expect(forecast.capacity(at: .zero) == 15)
        forecast.send(15, from: .zero, to: .zero)
        #expect(forecast.capacity(at: .milliseconds(89)) == 0)
        // Fifteen are written at 240 ms; four may wait.
        #expect(forecast.capacity(at: .milliseconds(90)) == 0)
        #expect(forecast.moment(for: 1) == .milliseconds(90 + 120))
        #expect(forecast.capacity(at: .milliseconds(90 + 120)) == 1)
        #expect(forecast.moment(for: 4) == .milliseconds(90 + 150))
        #expect(forecast.capacity(at: .seconds(1)) == 4)
    }

    @Test func `counts packets from when they left`() {
        var forecast = forecast()
        forecast.send(3, from: .milliseconds(100), to: .milliseconds(200))
        // At 100, 150 and 200 ms, each 10 ms.
        #expect(forecast.capacity(at: .milliseconds(155)) == 2)
        #expect(forecast.capacity(at: .milliseconds(165)) == 3)
        #expect(forecast.capacity(at: .milliseconds(210)) == 4)
    }

    @Test func `schedules late packets after the earlier ones`() {
        var forecast = forecast()
        forecast.send(4, from: .milliseconds(100), to: .milliseconds(100))
        #expect(forecast.capacity(at: .milliseconds(140)) == 4)
        forecast.note(outstanding: 2, at: .milliseconds(300))
        #expect(forecast.capacity(at: .milliseconds(299)) == 1)
        #expect(forecast.capacity(at: .milliseconds(310)) == 3)
        #expect(forecast.capacity(at: .milliseconds(320)) == 4)
        // Known information changes nothing.
        forecast.note(outstanding: 0, at: .milliseconds(10))
        #expect(forecast.capacity(at: .milliseconds(320)) == 4)
    }
}
