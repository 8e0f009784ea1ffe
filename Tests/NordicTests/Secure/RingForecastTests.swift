import Testing

@testable import Nordic

@Suite struct `A forecast of a RAM ring` {
    /// Four chunks of 128 bytes, of 8 ms each, after an erase that is done at 90 ms; packets of 20 bytes arrive 20 ms
    /// after they left.
    private func forecast(
        chunks: Int = 4, start: Int = 0, size: Int = 4096, delay: Int = 20
    ) -> RingForecast {
        RingForecast(
            erased: .milliseconds(90), chunks: chunks, payload: 20, chunkTime: .milliseconds(8),
            delay: .milliseconds(delay), start: start, size: size)
    }

    @Test(arguments: [(4, 25), (3, 19), (2, 12), (1, 12), (0, 12)])
    func `has space for the packets that its chunks hold during the erase`(_ chunks: Int, _ packets: Int) {
        #expect(forecast(chunks: chunks).capacity(at: .zero) == packets)
    }

    @Test func `is released one chunk at a time, when that is written`() {
        var forecast = forecast()
        forecast.send(25, from: .zero, to: .zero)
        #expect(forecast.capacity(at: .milliseconds(97)) == 0)
        #expect(forecast.moment(for: 1) == .milliseconds(98))
        // The last byte of packet 32 falls into the sixth chunk.
        #expect(forecast.capacity(at: .milliseconds(98)) == 7)
        #expect(forecast.moment(for: 7) == .milliseconds(98))
        #expect(forecast.idle == .milliseconds(90 + 3 * 8))
    }

    @Test func `does not count a chunk as written before its last packet can have arrived`() {
        var forecast = forecast()
        forecast.send(20, from: .milliseconds(200), to: .milliseconds(200))
        #expect(forecast.idle == .milliseconds(200 + 20 + 3 * 8))
        forecast.send(5, from: .milliseconds(300), to: .milliseconds(300))
        #expect(forecast.capacity(at: .milliseconds(301)) == 19)
    }

    @Test func `follows a receipt, and expects the missing packets later`() {
        var forecast = forecast()
        forecast.send(25, from: .milliseconds(200), to: .milliseconds(200))
        // Seven were there at 210: their chunk is written at 218. The others are on the way as estimated.
        forecast.note(
            outstanding: 18, seenAt: .milliseconds(230), arrivedBy: .milliseconds(230),
            interval: .milliseconds(20),
            isFresh: true)
        #expect(forecast.moment(for: 1) == .milliseconds(218))
        #expect(forecast.idle == .milliseconds(220 + 2 * 8))
        // At 300 only thirteen were, by a receipt that may have come at once.
        forecast.note(
            outstanding: 12, seenAt: .milliseconds(300), arrivedBy: .milliseconds(300),
            interval: .milliseconds(20),
            isFresh: true)
        #expect(forecast.idle == .milliseconds(300 + 2 * 8))
    }

    @Test func `writes the rest of an object when all of it has arrived`() {
        var forecast = forecast(size: 150)
        forecast.send(8, from: .milliseconds(100), to: .milliseconds(100))
        #expect(forecast.idle == .milliseconds(120 + 2 * 8))
        #expect(forecast.capacity(at: .seconds(1)) == 0)
    }

    /// Bytes 100 to 128 share their chunk with what the device had already.
    @Test func `continues in the middle of a chunk`() {
        var forecast = forecast(start: 100)
        #expect(forecast.capacity(at: .zero) == 20)
        forecast.send(20, from: .zero, to: .zero)
        #expect(forecast.moment(for: 1) == .milliseconds(98))
        #expect(forecast.idle == .milliseconds(90 + 3 * 8))
    }

    /// Fifteen packets of an event take 18.75 ms to be written.
    @Test func `misses a receipt after two intervals if events can be too fast for the flash`() {
        var forecast = forecast(delay: 15)
        forecast.send(6, from: .milliseconds(100), to: .milliseconds(100))
        #expect(!forecast.isOverdue(5, at: .milliseconds(133)))
        #expect(forecast.isOverdue(5, at: .milliseconds(134)))
        #expect(!forecast.isOverdue(6, at: .seconds(9)))
        var slow = self.forecast(delay: 19)
        slow.send(6, from: .milliseconds(100), to: .milliseconds(100))
        #expect(!slow.isOverdue(5, at: .seconds(9)))
    }

    @Test(arguments: [(19, 98_000), (15, 99_875), (7, 103_875)])
    func `holds packets back for the time that fast events could overrun`(
        _ delay: Int, _ moment: Int
    ) {
        var forecast = forecast(delay: delay)
        forecast.send(25, from: .zero, to: .zero)
        #expect(forecast.moment(for: 1) == .microseconds(moment))
    }

    @Test func `always has space again, whatever was lost`() {
        for chunks in 0...4 {
            var forecast = forecast(chunks: chunks)
            var now = Duration.zero
            var sent = 0
            while sent * 20 < 4096 {
                let room = forecast.capacity(at: now)
                if room > 0 {
                    forecast.send(room, from: now, to: now)
                    sent += room
                } else {
                    let next = forecast.moment(for: min(forecast.packetsAtOnce, (4096 - sent * 20 + 19) / 20))
                    #expect(next > now)
                    guard next > now else { break }
                    now = next
                }
            }
            #expect(sent == 205)
            #expect(now < .milliseconds(90 + 32 * 8 + 20 * 32))
        }
    }
}
