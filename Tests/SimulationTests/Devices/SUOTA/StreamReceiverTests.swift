import Bytes
import Simulation
import Testing

@Suite struct `A 68x receiver` {
    @Test(arguments: [(240, 20), (1536, 244), (1, 1), (1061, 120), (100, 244)])
    func `accepts an image and starts it`(block: Int, chunk: Int) {
        var bench = SUOTABench(.da14683)
        bench.update(SUOTAImages.upload1061, block: block, chunk: chunk)
        let blocks = (1061 + block - 1) / block
        #expect(bench.statusText == "10" + String(repeating: "02", count: blocks + 1))
        #expect(bench.errors == [])
        #expect(bench.receiver.memoryInfo == 1061)
        let image = bench.reboot()
        #expect(image?.version == "1.2.3")
        #expect(image?.payload == SUOTAImages.payload)
    }

    @Test func `answers each time the length is reached, whatever the writes`() {
        var bench = SUOTABench(.da14683)
        bench.start()
        bench.length(100)
        bench.data(SUOTAImages.upload1061[..<244], chunk: 244)
        #expect(bench.statusText == "100202")
        bench.data(SUOTAImages.upload1061[244..<300], chunk: 244)
        #expect(bench.statusText == "10020202")
        // Shorter now: the surplus counts.
        bench.length(40)
        bench.data(SUOTAImages.upload1061[300..<339], chunk: 244)
        #expect(bench.statusText == "10020202")
        bench.data(SUOTAImages.upload1061[339..<340], chunk: 244)
        #expect(bench.statusText == "1002020202")
    }

    @Test(arguments: ["00000012", "00000000", "00000010", "000000fc", "00000014"])
    func `ignores other memory devices`(word: String) {
        var bench = SUOTABench(.da14683)
        bench.command(word)
        #expect(bench.statuses.isEmpty && bench.refusals == 0)
    }

    @Test(arguments: ["00000013", "000000fe", "000000ff", "000000fd", "00000012"])
    func `answers 03 to everything while there is another link`(word: String) {
        var bench = SUOTABench(.da14683) { $0.otherLinks = 1 }
        bench.command(word)
        #expect(bench.statusText == "03")
    }

    @Test func `refuses a wrong length`() {
        var bench = SUOTABench(.da14683)
        bench.command("000013")
        bench.write([1, 2, 3], to: .pinMap)
        bench.write([1], to: .patchLength)
        #expect(bench.refusals == 3)
        bench.command("000000000013")
        #expect(bench.refusals == 4)
        bench.write([9, 9, 9, 9], to: .pinMap)
        #expect(bench.refusals == 4)
    }

    @Test func `accepts an image of exactly 236 KiB and no more`() {
        for (size, status) in [("dcaf0300", "02"), ("ddaf0300", "13")] {
            var bench = SUOTABench(.da14683)
            bench.start()
            bench.length(36)
            bench.data(SUOTAImages.changed(SUOTAImages.header68x, at: 4, hex(size)), chunk: 36)
            #expect(bench.statusText == "10" + status)
        }
    }

    @Test func `accepts nothing after an error until a start`() {
        var bench = SUOTABench(.da14683)
        bench.start()
        bench.length(240)
        bench.data(SUOTAImages.upload1089[..<480])
        #expect(bench.statusText == "1012")
        #expect(bench.refusals == 23)
        #expect(bench.receiver.memoryInfo == 480)
        bench.command("000000ff")
        bench.update(SUOTAImages.upload1061)
        #expect(bench.reboot()?.version == "1.2.3")
        #expect(bench.errors == [])
    }

    @Test func `loses a buffer with each start without ABORT`() {
        var bench = SUOTABench(.da14683)
        for _ in 0..<8 { bench.command("00000013") }
        #expect(bench.statusText == String(repeating: "10", count: 8))
        bench.command("00000013")
        #expect(bench.statuses.last == 0x03)
        #expect(bench.errors == Array(repeating: .startWithoutAbort, count: 8))
        #expect(bench.receiver.disconnect(at: bench.now) != nil)
        _ = bench.receiver.reset(at: bench.now)
        bench.receiver.connect(at: bench.now)
        bench.command("00000013")
        #expect(bench.statuses.last == 0x10)
    }

    @Test func `inverts its CRC with every END`() {
        var bench = SUOTABench(.da14683)
        bench.update(SUOTAImages.upload1061)
        for _ in 0..<3 { bench.command("000000fe") }
        #expect(bench.statusText.hasSuffix("02" + "04" + "02" + "04"))
        #expect(bench.errors == [.endTwice, .endTwice, .endTwice])
    }

    @Test(arguments: [
        (0, SUOTARule.endWithoutData), (20, .endBeforeAllBlocks), (500, .endBeforeAllBlocks),
    ])
    func `answers an END that comes too early with 04`(count: Int, error: SUOTARule) {
        var bench = SUOTABench(.da14683)
        bench.start()
        if count > 0 { bench.length(count) }
        bench.data(SUOTAImages.upload1061[..<count])
        bench.command("000000fe")
        #expect(bench.statuses.last == 0x04)
        #expect(bench.errors == [error])
    }

    @Test func `counts a length of 0 instead of looping`() {
        var bench = SUOTABench(.da14683)
        bench.start()
        bench.length(0)
        bench.data(SUOTAImages.upload1061[..<40])
        #expect(bench.statusText == "10")
        #expect(bench.errors == [.patchLengthZero])
    }

    @Test func `resets when the link ends after a start, and only then`() {
        var bench = SUOTABench(.da14683)
        #expect(bench.receiver.disconnect(at: .zero) == nil)
        bench.receiver.connect(at: .zero)
        bench.command("000000fd")
        #expect(bench.disconnects == 1)
        #expect(bench.receiver.disconnect(at: .zero) == nil)
        bench.receiver.connect(at: .zero)
        bench.command("00000013")
        bench.command("000000ff")
        #expect(bench.receiver.disconnect(at: .zero) == .zero)
    }

    @Test func `clears STATUS with each link`() {
        var bench = SUOTABench(.da14683)
        bench.command("000000ff")
        #expect(bench.receiver.status == 0x03)
        _ = bench.receiver.disconnect(at: .zero)
        bench.receiver.connect(at: .zero)
        #expect(bench.receiver.status == 0)
    }

    @Test(arguments: [SUOTAPersonality.da14683, .da14695Attributes])
    func `starts the old image after a power loss at any moment`(personality: SUOTAPersonality) {
        let upload = personality.family == .da1468x ? SUOTAImages.file68x : SUOTAImages.file69x
        var bench = SUOTABench(timed: personality)
        bench.start()
        bench.length(100)
        for start in stride(from: 0, to: upload.count, by: 50) {
            for moment in [Duration.zero, .milliseconds(61), .seconds(5)] {
                var copy = bench.receiver
                #expect(copy.reset(at: bench.now + moment).image?.version == "1.0.0")
            }
            bench.data(upload[start..<min(start + 50, upload.count)], chunk: 50)
        }
        bench.now += .seconds(1)
        let reply = bench.receiver.write(hex("000000fe"), to: .memoryDevice, at: bench.now)
        var interrupted = bench.receiver
        #expect(interrupted.reset(at: bench.now).image?.version == "1.0.0")
        bench.take(reply)
        #expect(bench.statuses.last == 0x02)
        #expect(bench.afterPowerLoss().image?.version == "1.2.3")
    }

    @Test func `resumes copying after a power cut`() {
        var bench = SUOTABench(timed: .da14683)
        bench.update(SUOTAImages.upload1061)
        let boot = bench.receiver.reset(at: bench.now)
        #expect(boot.time > .milliseconds(500))
        for _ in 0..<3 {
            bench.now += boot.time / 10
            let again = bench.receiver.reset(at: bench.now)
            #expect(again.image?.version == "1.2.3" && again.time == boot.time)
        }
        bench.now += boot.time
        // Copied: the next start is an ordinary one.
        let last = bench.receiver.reset(at: bench.now)
        #expect(last.image?.version == "1.2.3" && last.time < boot.time)
    }

    @Test(arguments: [SUOTAPersonality.da14683, .da14695Attributes])
    func `starts the old image when flash has corrupted the new one`(personality: SUOTAPersonality) {
        var bench = SUOTABench(personality)
        bench.receiver.flash.lostWrites = [2]
        bench.start()
        bench.send(personality.family == .da1468x ? SUOTAImages.upload1061 : SUOTAImages.file69x)
        bench.command("000000fe")
        #expect(bench.statuses.last == 0x02)
        #expect(bench.afterPowerLoss().image?.version == "1.0.0")
    }
}

@Suite struct `A 69x receiver` {
    @Test func `accepts one image after the other`() {
        var bench = SUOTABench(.da14695Attributes)
        for timestamp in 1...3 as ClosedRange<UInt8> {
            let file = SUOTAImages.changed(SUOTAImages.file69x, at: 26, [timestamp])
            bench.update(SUOTAImages.withTrailer(file), block: 1000, chunk: 244)
            let image = bench.reboot()
            #expect(image?.payload == SUOTAImages.payload)
            #expect(image?.timestamp == 0x6553_F100 | UInt32(timestamp))
            #expect(image?.bank == (timestamp.isMultiple(of: 2) ? 1 : 2))
            bench.receiver.connect(at: bench.now)
        }
    }

    @Test(arguments: [("00000000", "02"), ("00dc0700", "02"), ("01dc0700", "13")])
    func `has a partition of 503 KiB`(size: String, status: String) {
        var bench = SUOTABench(.da14695Attributes)
        bench.start()
        bench.length(34)
        let header = SUOTAImages.changed(SUOTAImages.header69x, at: 2, hex(size))
        bench.data(SUOTAImages.changed(header, at: 30, hex("00000000")), chunk: 34)
        #expect(bench.statusText == "1012")
        bench.command("000000ff")
        bench.start()
        bench.length(34)
        // 0x7DC00 in all, of which 34 are header.
        var sized = header
        if size != "00000000" {
            sized = SUOTAImages.changed(header, at: 2, hex(size == "00dc0700" ? "00d80700" : "01d80700"))
        }
        bench.data(sized, chunk: 34)
        #expect(bench.statuses.last == UInt8(status, radix: 16))
    }
}

@Suite struct `The channel of a receiver` {
    @Test func `is open from a start until PATCH_LEN`() {
        var bench = SUOTABench(.da14683Channel)
        #expect(!bench.receiver.listens(on: 0x81))
        bench.command("00000013")
        #expect(bench.receiver.listens(on: 0x81))
        #expect(!bench.receiver.listens(on: 0x80))
        bench.length(100)
        #expect(!bench.receiver.listens(on: 0x81))
        var without = SUOTABench(.da14683)
        without.command("00000013")
        #expect(!without.receiver.listens(on: 0x81))
    }

    @Test(arguments: [SUOTAPersonality.da14683Channel, .da14695], [1, 100, 245, 247])
    func `accepts an image without answers`(personality: SUOTAPersonality, size: Int) {
        let file = personality.family == .da1468x ? SUOTAImages.file68x : SUOTAImages.file69x
        var bench = SUOTABench(personality)
        bench.command("00000013")
        for start in stride(from: 0, to: file.count, by: size) {
            bench.take(
                bench.receiver.channel(Array(file[start..<min(start + size, file.count)]), at: bench.now))
        }
        #expect(bench.statusText == "10")
        #expect(bench.receiver.memoryInfo == UInt32(file.count))
        bench.command("000000fe")
        #expect(bench.statusText == "1002")
        #expect(bench.errors == [])
        #expect(bench.reboot()?.payload == SUOTAImages.payload)
    }

    @Test func `reports errors on STATUS`() {
        var bench = SUOTABench(.da14683Channel)
        bench.command("00000013")
        bench.take(bench.receiver.channel(SUOTAImages.upload1089, at: bench.now))
        #expect(bench.statusText == "1012")
    }

    @Test func `accepts nothing once the attributes were selected`() {
        var bench = SUOTABench(.da14683Channel)
        bench.command("00000013")
        bench.length(100)
        bench.take(bench.receiver.channel([1, 2, 3], at: bench.now))
        #expect(bench.receiver.memoryInfo == 0)
        #expect(bench.errors == [.channelInAttributeMode])
    }
}
