import Bytes
import TestSupport
import Testing

@testable import Simulation

@Suite struct `A simulated SMP server` {
    @Test func `answers as Zephyr does, with indefinite lengths`() throws {
        var bench = try SMPBench { $0.server.bufferSize = 2475 }
        let answers = bench.answers(to: [UInt8](hex: "000000010000ff06a0"))
        #expect(
            answers.map(\.bytes.hex) == ["010000190000ff06bf686275665f73697a651909ab696275665f636f756e7404ff"]
        )
    }

    @Test func `answers with definite lengths if it is built so`() throws {
        var bench = try SMPBench { $0.server.hasDefiniteLengths = true }
        let answers = bench.answers(to: [UInt8](hex: "0a00000900000000a161646568656c6c6f"))
        #expect(answers.map(\.bytes.hex) == ["0b00000900000000a161726568656c6c6f"])
    }

    @Test(arguments: [
        (0, "9.9", 2, 8), (0, "1.9", 0, 8), (0, "1.0", 4, 8), (0, "0.6", 2, 8), (0, "3.0", 0, 8),
        (0x18, "0.6", 0, 13), (0x10, "0.6", 0, 13),
    ])
    func `refuses what it does not support`(version: UInt8, command: String, operation: UInt8, code: Int)
        throws
    {
        var bench = try SMPBench()
        let parts = command.split(separator: ".").compactMap { UInt16($0) }
        let frame = SMPBench.frame(version | operation, parts[0], UInt8(parts[1]))
        let answers = bench.answers(to: frame)
        let answer = try #require(answers.first)
        #expect(answer.map == ["rc": .number(code)])
        #expect(answer.header.version == min(version >> 3, 1))
    }

    @Test func `refuses frames that are cut, and maps that are malformed`() throws {
        var bench = try SMPBench()
        #expect(bench.answers(to: [UInt8](hex: "0800000200000106a0")).first?.map == ["rc": .number(9)])
        #expect(bench.answers(to: [UInt8](hex: "0800000100000106ff")).first?.map == ["rc": .number(3)])
        #expect(bench.answers(to: [UInt8](hex: "08000001000001")).isEmpty)
    }

    @Test func `processes several requests of a frame, up to the first error`() throws {
        var bench = try SMPBench()
        let echo = SMPBench.frame(0x0A, 0, 0, ["d": .text("a")], sequence: 7)
        let bad = SMPBench.frame(0x08, 99, 0, sequence: 8)
        #expect(bench.answers(to: echo + echo).count == 2)
        #expect(bench.answers(to: echo + bad + echo).map(\.header.sequence) == [7, 8])
    }

    @Test func `tells errors of a group in version 2, and translates them for version 1`() throws {
        var bench = try SMPBench()
        let unknown: SMPMap = ["hash": .bytes([UInt8](repeating: 1, count: 32))]
        let second = bench.answers(to: SMPBench.frame(0x0A, 1, 0, unknown)).first
        #expect(second?.map?.groupError == "1.8")
        let first = bench.answers(to: SMPBench.frame(0x02, 1, 0, unknown)).first
        #expect(first?.map == ["rc": .number(1)] && first?.header.version == 0)
        let query: SMPMap = ["query": .text("colour")]
        #expect(bench.answers(to: SMPBench.frame(0x08, 0, 8, query)).first?.map?.groupError == "0.3")
        #expect(bench.answers(to: SMPBench.frame(0x00, 0, 8, query)).first?.map == ["rc": .number(5)])
    }

    @Test func `of Mynewt has version 1 for every request, and a code in every answer`() throws {
        var bench = try SMPBench { $0.server.implementation = .mynewt }
        let answers = bench.answers(to: SMPBench.frame(0x0A, 0, 0, ["d": .text("a")]))
        let echo = try #require(answers.first)
        #expect(echo.header.version == 0 && echo.map == ["rc": .number(0), "r": .text("a")])
        #expect(bench.ask(SMPBench.read, 0, 8) == ["rc": .number(8)])
        #expect(bench.ask(SMPBench.read, 0, 6) == ["rc": .number(8)])
        #expect(bench.ask(SMPBench.read, 1, 6) == ["rc": .number(8)])
        let unknown: SMPMap = ["hash": .bytes([UInt8](repeating: 1, count: 32))]
        #expect(bench.ask(SMPBench.write, 1, 0, unknown) == ["rc": .number(3)])
        let image = SMPImages.next
        #expect(bench.upload(image) == ["rc": .number(0), "off": .number(image.count)])
        // A repeat of the last chunk, after its answer was lost.
        let last = SMPBench.chunk(image, image.count - 4, 4)
        #expect(bench.ask(SMPBench.write, 1, 1, last)?.offset == image.count)
        _ = bench.mark(image, confirm: false)
        #expect(bench.ask(SMPBench.write, 1, 5) == ["rc": .number(6)])
    }

    @Test func `adds a code to successful answers if it is built so`() throws {
        var bench = try SMPBench { $0.server.addsCode = true }
        #expect(bench.ask(SMPBench.write, 0, 0, ["d": .text("x")]) == ["rc": .number(0), "r": .text("x")])
    }

    @Test(arguments: MCUbootRules.Mode.allCases)
    func `tells the mode of the bootloader`(mode: MCUbootRules.Mode) throws {
        func ask(_ answer: SMPServerRules.ModeAnswer) throws -> SMPMap? {
            var bench = try SMPBench {
                $0.bootloader.mode = mode
                $0.server.modeAnswer = answer
                if mode == .ramLoad { $0.images = [.init(first: Self.ramImage.file)] }
            }
            return bench.ask(SMPBench.read, 0, 8, ["query": .text("mode")])
        }
        #expect(try ask(.mode) == ["mode": .number(mode.rawValue)])
        #expect(try ask(.unknown) == ["mode": .number(-1)])
        #expect(try ask(.none) == ["rc": .number(8)])
    }

    private static let ramImage = {
        var image = MCUbootFirmware()
        image.flags = 0x20
        return image
    }()

    @Test func `tells its bootloader, buffers and slots`() throws {
        var bench = try SMPBench { $0.bootloader.preventsDowngrade = true }
        #expect(bench.ask(SMPBench.read, 0, 8) == ["bootloader": .text("MCUboot")])
        #expect(
            bench.ask(SMPBench.read, 0, 8, ["query": .text("mode")])
                == ["mode": .number(3), "no-downgrade": .truth(true)])
        #expect(bench.ask(SMPBench.read, 0, 6) == ["buf_size": .number(384), "buf_count": .number(4)])
        let slots = bench.ask(SMPBench.read, 1, 6)?["images"]?.list?.first?.map
        #expect(slots?["max_image_size"]?.number == 28 * 1024)
        #expect(slots?["slots"]?.list?.count == 2)
    }

    @Test func `resets a quarter of a second after its answer`() throws {
        var bench = try SMPBench()
        let answers = bench.answers(to: SMPBench.frame(0x0A, 0, 5), within: .milliseconds(100))
        #expect(answers.first?.map == [:] && bench.isLinked)
        bench.pass(for: .milliseconds(200))
        #expect(!bench.isLinked && bench.device.server.record.starts == 2)
    }

    @Test func `erases the storage with its bond`() throws {
        var bench = try SMPBench { $0.isBonded = true }
        #expect(bench.device.bond == 1)
        #expect(bench.ask(SMPBench.write, 63, 0) == [:])
        #expect(bench.device.bond == nil)
        var other = try SMPBench { $0.server.erasesStorage = false }
        #expect(other.ask(SMPBench.write, 63, 0) == ["rc": .number(8)])
    }

    @Test func `survives damaged requests`() throws {
        let frame = SMPBench.frame(0x0A, 1, 1, SMPBench.first(SMPImages.next, 40))
        for flip in Corruption.flips(of: frame) {
            var bench = try SMPBench()
            _ = bench.answers(to: flip.bytes, within: .milliseconds(10))
            #expect(bench.state().first == "0.0 1.0.0 confirmed active")
        }
    }
}
