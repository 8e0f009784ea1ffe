import Bytes
import Simulation
import Testing

@Suite struct `A 58x receiver` {
    @Test(arguments: [(240, 20), (512, 20), (272, 20), (64, 1), (488, 244), (512, 244), (65, 13)])
    func `accepts an image and starts it`(block: Int, chunk: Int) {
        var bench = SUOTABench()
        bench.update(SUOTAImages.upload1089, block: block, chunk: chunk)
        let blocks = (1089 + block - 1) / block
        #expect(bench.statusText == "10" + String(repeating: "02", count: blocks + 1))
        #expect(bench.errors == [])
        let image = bench.reboot()
        #expect(image?.version == "1.2.3")
        #expect(image?.payload == SUOTAImages.payload)
        #expect(image?.bank == 2)
        #expect(bench.disconnects == 1)
    }

    @Test func `counts what is in flash, without the trailer`() {
        var bench = SUOTABench()
        bench.start()
        var seen: [UInt32] = []
        for start in stride(from: 0, to: 1089, by: 240) {
            let part = SUOTAImages.upload1089[start..<min(start + 240, 1089)]
            if part.count < 240 || start == 0 { bench.length(part.count) }
            bench.data(part)
            seen.append(bench.receiver.memoryInfo)
        }
        #expect(seen == [240, 480, 720, 960, 1088])
        bench.command("000000fe")
        #expect(bench.receiver.memoryInfo == 0)
    }

    @Test(arguments: [
        ("00000000", "08"), ("00000001", "08"), ("00000002", "08"), ("00000003", "08"), ("00000010", "08"),
        ("00000011", "08"), ("00000004", "08"), ("00000014", "08"), ("000000fc", "08"), ("00000012", "10"),
        ("00000013", "10"), ("01000013", "10"), ("02000013", "10"), ("03000013", "11"), ("00010013", "11"),
        ("000000ff", "03"), ("000000fe", "02"),
    ])
    func `answers a memory device`(word: String, status: String) {
        var bench = SUOTABench()
        bench.command(word)
        #expect(bench.statusText == status)
    }

    @Test func `refuses invalid lengths of a value`() {
        var bench = SUOTABench()
        bench.command("0000")
        bench.write([1], to: .pinMap)
        bench.write([1], to: .patchLength)
        #expect(bench.refusals == 3)
        #expect(bench.statuses.isEmpty)
    }

    @Test func `checks the memory device before the length, and the length before its buffer`() {
        var bench = SUOTABench()
        bench.data([0])
        #expect(bench.statusText == "08")
        bench.start()
        bench.data([UInt8](repeating: 0, count: 600), chunk: 600)
        #expect(bench.statusText == "081005")
        bench.length(240)
        bench.data([UInt8](repeating: 0, count: 600), chunk: 600)
        #expect(bench.statusText == "08100507")
    }

    /// Every rejection by the first block, each with all later ones violated as well.
    @Test(arguments: [
        ("short", "12"), ("signature", "12"), ("pins", "16"), ("product header", "14"), ("empty", "13"),
        ("size", "13"), ("same image", "15"),
    ])
    func `checks a first block in this order`(flaw: String, status: String) {
        let order = ["short", "signature", "pins", "product header", "empty", "size", "same image"]
        let later = order.drop { $0 != flaw }
        var bench = SUOTABench {
            $0.first = SUOTAFirmware(version: "1.2.3", timestamp: 1_700_000_000)
            $0.second = SUOTAFirmware(version: "1.2.3", timestamp: 1_700_000_000)
            if later.contains("product header") { $0.productHeader = nil }
            if later.contains("pins") { $0.pins = 0x0300_0104 }
        }
        var file = SUOTAImages.file58x
        if later.contains("signature") { file[1] = 0x50 }
        if flaw == "empty" { file.replaceSubrange(4..<8, with: [0, 0, 0, 0]) }
        if later.contains("size"), flaw != "empty" { file.replaceSubrange(4..<8, with: hex("c1af0100")) }
        bench.start()
        let length = flaw == "short" ? 63 : 64
        bench.length(length)
        bench.data(file[..<length])
        #expect(bench.statusText == "10" + status)
        // Nothing was accepted, so the next block is a first one again.
        #expect(bench.receiver.memoryInfo == 0)
        bench.data(file[..<length])
        #expect(bench.statusText == "10" + status + status)
        #expect(bench.afterPowerLoss().isAlive == !later.contains("product header"))
    }

    @Test func `accepts as much as its bank holds`() {
        var file = SUOTAImages.file58x
        file.replaceSubrange(4..<8, with: hex("c0af0100"))
        var bench = SUOTABench()
        bench.start()
        bench.length(240)
        bench.data(file[..<240])
        #expect(bench.statusText == "1002")
    }

    @Test(arguments: [(ReceiverStatus.memoryRead, "16"), (.productHeader, "14"), (.memoryWrite, "06")])
    func `reports what it finds at wrong pins`(status: ReceiverStatus, text: String) {
        var bench = SUOTABench { $0.wrongPinsStatus = status }
        bench.start(pins: "04010003")
        bench.send(Array(SUOTAImages.upload1089[..<240]))
        #expect(bench.statusText == "10" + text)
    }

    @Test func `does not find the product header of another layout`() {
        var bench = SUOTABench { $0.productHeader = 0x1F000 }
        bench.start()
        bench.send(Array(SUOTAImages.upload1089[..<240]))
        #expect(bench.statusText == "1014")
    }

    @Test func `accesses EEPROM over I2C, and nothing over SPI then`() {
        var bench = SUOTABench {
            $0.memory = .i2c
            $0.pins = 0x0050_0203
        }
        bench.start(pins: "03025000")
        bench.send(Array(SUOTAImages.upload1089[..<240]))
        #expect(bench.statusText == "1016")
        bench.start("00000012", pins: "03025000")
        bench.send(SUOTAImages.upload1089)
        bench.command("000000fe")
        #expect(bench.statusText.hasSuffix("02"))
        #expect(bench.reboot()?.version == "1.2.3")
    }

    @Test func `has a buffer of 256 bytes in SDK 3`() {
        var bench = SUOTABench(.da14580)
        bench.start()
        bench.length(257)
        #expect(bench.statusText == "1007")
        bench.length(256)
        bench.data(SUOTAImages.upload1089[..<256])
        #expect(bench.statusText == "100702")
        // The refused length has left the old one.
        bench.length(300)
        bench.data(SUOTAImages.upload1089[256..<512])
        #expect(bench.statusText == "1007020702")
    }

    @Test(arguments: [SUOTAPersonality.da14580, .da14531, .da14585Old])
    func `of every kind starts what it accepted`(personality: SUOTAPersonality) {
        var bench = SUOTABench(personality)
        bench.update(SUOTAImages.upload1089)
        #expect(bench.reboot()?.payload == SUOTAImages.payload)
    }

    @Test func `resets its state at a start`() {
        var bench = SUOTABench()
        bench.start()
        bench.length(240)
        bench.data(SUOTAImages.upload1089[..<300])
        bench.update(SUOTAImages.upload1089)
        #expect(bench.reboot()?.payload == SUOTAImages.payload)
    }

    @Test func `stays blocked after an excess until a start`() {
        var bench = SUOTABench()
        bench.start()
        bench.length(30)
        bench.data(SUOTAImages.upload1089[..<60])
        #expect(bench.statusText == "100505")
        bench.data(SUOTAImages.upload1089[60..<100])
        #expect(bench.statusText == "1005050505")
        bench.update(SUOTAImages.upload1089)
        #expect(bench.reboot()?.version == "1.2.3")
    }

    @Test func `compares only the XOR at END`() {
        // Only a header is there, whose own XOR compensates for the rest.
        var bench = SUOTABench()
        bench.start()
        let part = SUOTAImages.withTrailer(Array(SUOTAImages.file58x[..<100]))
        bench.send(part)
        bench.command("000000fe")
        #expect(bench.statusText == "100202")
        #expect(bench.errors == [.endBeforeAllBlocks])
        // The bootloader finds a wrong CRC, and the old image.
        #expect(bench.reboot()?.version == "1.0.0")
    }

    @Test func `starts the old image when the CRC of the new one is wrong`() {
        var bench = SUOTABench()
        bench.update(SUOTAImages.withTrailer(SUOTAImages.changed(SUOTAImages.file58x, at: 8, [1])))
        #expect(bench.statuses.last == 0x02)
        #expect(bench.reboot()?.version == "1.0.0")
    }

    @Test func `does not start what END has not verified`() {
        var bench = SUOTABench()
        bench.start()
        bench.send(SUOTAImages.upload1089.dropLast() + [0])
        bench.command("000000fe")
        #expect(bench.statuses.last == 0x04)
        #expect(bench.reboot()?.version == "1.0.0")
    }

    @Test(arguments: [(1, "02"), (2, "06"), (3, "06")])
    func `accepts one byte more than the image has`(more: Int, status: String) {
        var bench = SUOTABench()
        bench.start()
        bench.send(SUOTAImages.file58x + [UInt8](repeating: 0, count: more))
        #expect(bench.statusText == "1002020202" + status)
        #expect(bench.receiver.memoryInfo == (more == 1 ? 1088 : 960))
    }

    @Test func `writes to a wrong place when END comes without data`() {
        var bench = SUOTABench()
        bench.start("02000013")
        bench.command("000000fe")
        #expect(bench.statusText == "1002")
        #expect(bench.errors == [.endWithoutData])
        bench.receiver.flash.advance(to: .seconds(1))
        #expect(bench.receiver.flash.content(3..<6) == [0xFF, 0xAA, 0xFF])
    }

    @Test(arguments: [(SUOTAPersonality.da14585, "02"), (.da14531, "06")])
    func `answers an END out of order as its firmware does`(personality: SUOTAPersonality, status: String) {
        var bench = SUOTABench(personality)
        bench.command("000000fe")
        bench.update(SUOTAImages.upload1089)
        bench.command("000000fe")
        #expect(HexText.encode([bench.statuses[0]]) == status)
        #expect(HexText.encode([bench.statuses.last ?? 0]) == status)
        #expect(bench.errors == [.endWithoutStart, .endTwice])
    }

    @Test func `counts a length of 0 as the client's error`() {
        var bench = SUOTABench()
        bench.start()
        bench.length(0)
        #expect(bench.statusText == "1005")
        #expect(bench.errors == [.patchLengthZero])
    }

    @Test func `notes a block that comes before the answer to the last one`() {
        var bench = SUOTABench(timed: .da14585)
        bench.start()
        bench.length(240)
        bench.data(SUOTAImages.upload1089[..<240])
        #expect(bench.now > .milliseconds(271))
        let early = bench.now - .milliseconds(1)
        bench.take(bench.receiver.write([1], to: .patchData, at: bench.now))
        #expect(bench.errors == [])
        var hasty = SUOTABench(timed: .da14585)
        hasty.start()
        hasty.length(240)
        hasty.data(SUOTAImages.upload1089[..<240])
        hasty.take(hasty.receiver.write([1], to: .patchData, at: early))
        #expect(hasty.errors == [.blockBeforeAnswer])
    }

    @Test func `never resets if its firmware omits that`() {
        var bench = SUOTABench { $0.resets = false }
        bench.update(SUOTAImages.upload1089)
        #expect(bench.reboot() == nil)
        #expect(bench.afterPowerLoss().image?.version == "1.2.3")
    }
}

@Suite struct `The flash of a 58x` {
    /// The time from each block of an image to its answer.
    private func pauses(_ personality: SUOTAPersonality, _ size: Int) -> [Duration] {
        let upload = SUOTAImages.withTrailer(SUOTAImages.image58x(GoldenUpdate.pattern(size)))
        var bench = SUOTABench(timed: personality)
        bench.start()
        var pauses: [Duration] = []
        for start in stride(from: 0, to: upload.count, by: 256) {
            let part = upload[start..<min(start + 256, upload.count)]
            bench.length(part.count)
            let before = bench.now
            bench.data(part)
            pauses.append(bench.now - before)
        }
        return pauses
    }

    @Test func `is erased sector by sector`() {
        let long = pauses(.da14585, 10_000).enumerated().filter { $1 > .milliseconds(270) }.map(\.offset)
        // The first block, and those that reach the next sector.
        #expect(long == [0, 15, 31])
    }

    @Test func `is erased at once in SDK 3`() {
        let all = pauses(.da14580, 10_000)
        #expect(all[0] > .milliseconds(270) * 3)
        #expect(all[0] < .milliseconds(270) * 4)
        #expect(all.dropFirst().allSatisfy { $0 < .milliseconds(10) })
    }

    @Test func `of the neighbour is erased by an image that fills its bank`() {
        for (size, isErased) in [(0x1AFC0, true), (0x1AFBF, false)] {
            let upload = SUOTAImages.withTrailer(SUOTAImages.image58x(GoldenUpdate.pattern(size)))
            var bench = SUOTABench { $0.second = SUOTAFirmware(version: "0.9") }
            bench.start("01000013")
            bench.send(upload, block: 512, chunk: 244)
            bench.receiver.flash.advance(to: bench.now)
            #expect((bench.header(2) == [UInt8](repeating: 0xFF, count: 64)) == isErased)
        }
    }

    /// Every moment of an upload, including partial flash operations: the other image starts.
    @Test(arguments: [SUOTAPersonality.da14585, .da14580, .da14531])
    func `lets the other image start after a power loss at any moment`(personality: SUOTAPersonality) {
        let upload = SUOTAImages.withTrailer(SUOTAImages.image58x(GoldenUpdate.pattern(9000)))
        var bench = SUOTABench(timed: personality)
        func check() {
            // At once, during a flash operation, and when it is done.
            for moment in [Duration.zero, .milliseconds(100), .milliseconds(271), .seconds(10)] {
                var copy = bench.receiver
                let boot = copy.reset(at: bench.now + moment)
                #expect(boot.isAlive && boot.image?.version == "1.0.0")
            }
        }
        bench.start()
        var told = 0
        for start in stride(from: 0, to: upload.count, by: 240) {
            let part = upload[start..<min(start + 240, upload.count)]
            if part.count != told { bench.length(part.count) }
            told = part.count
            for chunk in stride(from: part.startIndex, to: part.endIndex, by: 20) {
                let before = bench.now
                bench.data(part[chunk..<min(chunk + 20, part.endIndex)])
                let after = bench.now
                bench.now = before
                check()
                bench.now = after
            }
        }
        let reply = bench.receiver.write(hex("000000fe"), to: .memoryDevice, at: bench.now)
        var interrupted = bench.receiver
        #expect(interrupted.reset(at: bench.now).image?.version == "1.0.0")
        bench.take(reply)
        #expect(bench.afterPowerLoss().image?.version == "2.0.0")
    }
}
