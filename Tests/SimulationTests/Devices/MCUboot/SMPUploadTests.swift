import Bytes
import TestSupport
import Testing

@testable import Simulation

@Suite struct `An upload to a simulated SMP server` {
    private let image = SMPImages.next

    private func upload(_ map: SMPMap, to bench: inout SMPBench) -> SMPMap? {
        bench.ask(SMPBench.write, 1, 1, map)
    }

    @Test(arguments: [32, 64, 128, 160])
    func `is written and listed`(chunk: Int) throws {
        var bench = try SMPBench()
        #expect(bench.upload(image, chunk: chunk) == ["off": .number(image.count)])
        #expect(bench.state() == ["0.0 1.0.0 confirmed active", "0.1 1.1.0"])
        let slot = ImageSlot(image: 0, slot: 1)
        #expect(bench.device.server.slots.content(slot, 0..<image.count) == image)
        #expect(bench.errors == [])
    }

    @Test func `is resumed by the same checksum, also over a new link`() throws {
        var bench = try SMPBench()
        _ = upload(SMPBench.first(image, 128), to: &bench)
        _ = upload(SMPBench.chunk(image, 128, 64), to: &bench)
        #expect(upload(SMPBench.first(image, 128), to: &bench)?.offset == 192)
        bench.disconnect()
        bench.connect()
        #expect(upload(SMPBench.first(image, 32), to: &bench)?.offset == 192)
        #expect(bench.upload(image)?.offset == image.count)
        #expect(bench.device.server.record.uploads == 1 && bench.device.server.record.resumed == 3)
    }

    @Test func `begins again without or with another checksum`() throws {
        var bench = try SMPBench()
        _ = upload(SMPBench.first(image, 128), to: &bench)
        #expect(upload(SMPBench.first(image, 64, sha: []), to: &bench)?.offset == 64)
        #expect(upload(SMPBench.first(image, 32, sha: [1]), to: &bench)?.offset == 32)
        #expect(upload(SMPBench.chunk(image, 64, 4), to: &bench)?.offset == 32)
    }

    @Test func `is not resumed after a reset`() throws {
        var bench = try SMPBench()
        _ = upload(SMPBench.first(image, 128), to: &bench)
        bench.restart()
        #expect(upload(SMPBench.chunk(image, 128, 64), to: &bench)?.offset == 0)
        #expect(upload(SMPBench.first(image, 64), to: &bench)?.offset == 64)
    }

    static let refusals: [(String, @Sendable (inout SMPMap) -> Void)] = [
        ("1.20", { $0.fields.removeAll { $0.key == "off" } }),
        ("1.22", { $0.replace("data", .bytes([UInt8](repeating: 0, count: 31))) }),
        ("1.21", { $0.fields.removeAll { $0.key == "len" } }),
        ("1.23", { $0.replace("data", .bytes([UInt8](repeating: 0, count: 32))) }),
        ("1.24", { $0.replace("sha", .bytes([UInt8](repeating: 0, count: 33))) }),
        ("1.30", { $0.replace("len", .number(32 * 1024 + 1)) }),
    ]

    @Test(arguments: refusals.indices)
    func `is refused with the code of its first flaw`(index: Int) throws {
        var bench = try SMPBench()
        var map = SMPBench.first(image, 64)
        Self.refusals[index].1(&map)
        #expect(upload(map, to: &bench)?.groupError == Self.refusals[index].0)
        // An error ends what was under way.
        _ = upload(SMPBench.first(image, 64, sha: [1]), to: &bench)
        _ = upload(map, to: &bench)
        #expect(upload(SMPBench.chunk(image, 64, 4), to: &bench)?.offset == 0)
    }

    @Test func `must be newer if the client says so`() throws {
        var bench = try SMPBench()
        for (version, error) in [("1.0.0", "1.27"), ("0.9.9", "1.27"), ("1.0.0+9", "1.27"), ("1.0.1", nil)] {
            var map = SMPBench.first(SMPImages.file(version), 64)
            map.append("upgrade", .truth(true))
            #expect(upload(map, to: &bench)?.groupError == error, "\(version)")
        }
    }

    @Test(arguments: [0, 64, 132, 4000])
    func `goes on at the wanted offset`(offset: Int) throws {
        var bench = try SMPBench()
        _ = upload(SMPBench.first(image, 128), to: &bench)
        guard offset > 0 else {
            #expect(upload(SMPBench.chunk(image, 0, 128), to: &bench)?.groupError == "1.21")
            return
        }
        #expect(upload(SMPBench.chunk(image, offset, 4), to: &bench) == ["off": .number(128)])
        #expect(bench.device.acceptedBytes == 128)
    }

    @Test func `must not have more data than announced`() throws {
        var bench = try SMPBench()
        let short = Array(image.prefix(200))
        _ = upload(SMPBench.first(short, 128), to: &bench)
        #expect(upload(SMPBench.chunk(image, 128, 76), to: &bench)?.groupError == "1.31")
        #expect(bench.errors == ["smp-data-beyond-end"])
    }

    @Test func `ends with an error if flash cannot be written`() throws {
        var bench = try SMPBench([.failFlashWrite(2)])
        _ = upload(SMPBench.first(image, 128), to: &bench)
        #expect(upload(SMPBench.chunk(image, 128, 64), to: &bench)?.groupError == "1.12")
        #expect(upload(SMPBench.chunk(image, 128, 64), to: &bench)?.offset == 0)
    }

    @Test func `is closed by its last byte`() throws {
        var bench = try SMPBench()
        _ = bench.upload(image)
        #expect(upload(SMPBench.chunk(image, image.count - 4, 4), to: &bench)?.offset == 0)
    }

    @Test func `is compared with the checksum if the server does so`() throws {
        var bench = try SMPBench { $0.server.checksUpload = true }
        #expect(bench.upload(image) == ["off": .number(image.count), "match": .truth(true)])
        // The slot has these bytes already: nothing is transferred.
        let again = upload(SMPBench.first(image, 64), to: &bench)
        #expect(again == ["off": .number(image.count), "match": .truth(true)])
        let small = Array(image.prefix(64))
        for sha in [[UInt8](repeating: 9, count: 32), []] {
            let wrong = upload(SMPBench.first(small, 64, sha: sha), to: &bench)
            #expect(wrong == ["off": .number(64), "match": .truth(false)])
        }
    }

    @Test func `erases the slot before the first answer unless it is empty`() throws {
        var bench = try SMPBench { $0.timing = .stock }
        let before = bench.now
        _ = bench.answers(to: SMPBench.frame(0x0A, 1, 1, SMPBench.first(image, 64)))
        #expect(try #require(bench.heard.last).at - before < .milliseconds(20))
        let second = bench.now
        let other = SMPBench.first(image, 64, sha: [1])
        _ = bench.answers(to: SMPBench.frame(0x0A, 1, 1, other), within: .seconds(5))
        // One page of the image, and that of the trailer.
        #expect(try #require(bench.heard.last).at - second >= .milliseconds(174))
    }

    @Test func `is erased on the way if the server does so`() throws {
        var bench = try SMPBench {
            $0.server.erasesProgressively = true
            $0.images[0].second = SMPImages.file("9.9.9", 20_000)
        }
        let large = SMPImages.file("1.1.0", 9000)
        #expect(bench.upload(large)?.offset == large.count)
        #expect(bench.state().last == "0.1 1.1.0")
        #expect(bench.device.server.slots.content(ImageSlot(image: 0, slot: 1), 0..<large.count) == large)
    }

    @Test func `needs aligned chunks on old devices`() throws {
        var bench = try SMPBench { $0.server.needsAlignedChunks = true }
        #expect(upload(SMPBench.first(image, 63), to: &bench)?.groupError == "1.12")
        #expect(bench.errors == ["smp-unaligned-chunk"])
    }

    @Test func `finds no free slot while an image is pending or in test`() throws {
        var bench = try SMPBench()
        _ = bench.upload(image)
        _ = bench.mark(image, confirm: false)
        #expect(upload(SMPBench.first(image, 64), to: &bench)?.groupError == "1.9")
        #expect(bench.ask(SMPBench.write, 1, 5)?.groupError == "1.9")
        _ = bench.ask(SMPBench.write, 0, 5)
        bench.connect()
        #expect(bench.state() == ["0.0 1.1.0 active", "0.1 1.0.0 confirmed"])
        #expect(upload(SMPBench.first(image, 64), to: &bench)?.groupError == "1.9")
        #expect(bench.ask(SMPBench.write, 1, 5)?.groupError == "1.9")
    }

    @Test func `ignores the number of the image if there is one image`() throws {
        var one = try SMPBench()
        #expect(one.upload(image, image: 1)?.offset == image.count)
        #expect(one.state().last == "0.1 1.1.0")
        var two = try SMPBench { $0.images.append(.init()) }
        #expect(two.upload(image, image: 1)?.offset == image.count)
        #expect(two.state().last == "1.1 1.1.0")
        #expect(upload(SMPBench.first(image, 64, image: 2), to: &two)?.groupError == "1.9")
    }

    @Test func `of an image linked for another slot is refused`() throws {
        func answer(_ slot: Int) throws -> SMPMap? {
            var bench = try SMPBench { $0.bootloader.mode = .directXIP }
            var image = MCUbootFirmware(version: "2.0.0")
            image.flags = 0x100
            image.loadAddress = UInt32(bench.device.description.slotAddress(image: 0, slot: slot))
            return bench.ask(SMPBench.write, 1, 1, SMPBench.first(image.file, 64))
        }
        #expect(try answer(0)?.groupError == "1.25")
        #expect(try answer(1)?.offset == 64)
    }

    @Test func `is erased by a request`() throws {
        var bench = try SMPBench()
        _ = bench.upload(image)
        #expect(bench.ask(SMPBench.write, 1, 5) == [:])
        #expect(bench.state() == ["0.0 1.0.0 confirmed active"])
        #expect(bench.ask(SMPBench.write, 1, 5, ["slot": .number(0)])?.groupError == "1.9")
        #expect(bench.ask(SMPBench.write, 1, 5, ["slot": .number(2)])?.groupError == "1.14")
    }
}

extension SMPMap {
    mutating func replace(_ key: String, _ value: SMPValue) {
        fields = fields.map { $0.key == key ? Field(key: key, value: value) : $0 }
    }
}
