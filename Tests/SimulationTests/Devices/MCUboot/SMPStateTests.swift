import TestSupport
import Testing

@testable import Simulation

/// The states of a pair of slots (mcuboot-smp.md, Marking).
private enum Stage: String, CaseIterable {
    case normal, testRequested, permanentRequested, inTest

    func bench(_ change: (inout MCUbootDescription) -> Void = { _ in }) throws -> SMPBench {
        var bench = try SMPBench([], change)
        _ = bench.upload(SMPImages.next)
        _ = bench.state()
        switch self {
        case .normal: break
        case .testRequested: _ = bench.mark(SMPImages.next, confirm: false)
        case .permanentRequested: _ = bench.mark(SMPImages.next, confirm: true)
        case .inTest:
            _ = bench.mark(SMPImages.next, confirm: false)
            bench.restart()
        }
        return bench
    }

    var lines: [String] {
        switch self {
        case .normal: ["0.0 1.0.0 confirmed active", "0.1 1.1.0"]
        case .testRequested: ["0.0 1.0.0 confirmed active", "0.1 1.1.0 pending"]
        case .permanentRequested: ["0.0 1.0.0 confirmed active", "0.1 1.1.0 pending permanent"]
        case .inTest: ["0.0 1.1.0 active", "0.1 1.0.0 confirmed"]
        }
    }
}

@Suite struct `The list of images of a simulated server` {
    private static let old = MCUbootFirmware().file

    @Test(arguments: Stage.allCases)
    private func `shows what starts next`(stage: Stage) throws {
        var bench = try stage.bench()
        #expect(bench.state() == stage.lines)
    }

    /// Stage, whether the image in slot 1 is named (otherwise that in slot 0), whether it is confirmed, the
    /// error.
    private static let marks: [(Stage, Bool, Bool, String?)] = [
        (.normal, true, false, nil), (.normal, true, true, nil), (.normal, false, false, "1.33"),
        (.normal, false, true, nil),
        (.testRequested, true, false, nil), (.testRequested, true, true, "1.28"),
        (.testRequested, false, false, "1.33"), (.testRequested, false, true, "1.28"),
        (.permanentRequested, true, false, "1.28"), (.permanentRequested, true, true, nil),
        (.permanentRequested, false, false, "1.33"), (.permanentRequested, false, true, "1.28"),
        (.inTest, true, false, "1.28"), (.inTest, true, true, nil), (.inTest, false, false, "1.33"),
        (.inTest, false, true, nil),
    ]

    @Test(arguments: marks.indices)
    func `follows the rules of marking`(index: Int) throws {
        let (stage, isSecond, confirms, error) = Self.marks[index]
        var bench = try stage.bench()
        let running = stage == .inTest ? SMPImages.next : Self.old
        let other = stage == .inTest ? Self.old : SMPImages.next
        let answer = bench.mark(isSecond ? other : running, confirm: confirms)
        #expect(answer?.groupError == error)
        if error == nil {
            #expect(SMPBench.lines(answer) == bench.state())
        } else {
            #expect(bench.state() == stage.lines)
        }
    }

    @Test func `confirms the running image without a hash`() throws {
        var bench = try Stage.inTest.bench()
        #expect(bench.mark(nil, confirm: false)?.groupError == "1.24")
        #expect(
            SMPBench.lines(bench.mark(nil, confirm: true)) == ["0.0 1.1.0 confirmed active", "0.1 1.0.0"])
        bench.restart()
        #expect(bench.state() == ["0.0 1.1.0 confirmed active", "0.1 1.0.0"])
    }

    @Test func `does not confirm the new image by the hash of the old one`() throws {
        var bench = try Stage.inTest.bench()
        #expect(bench.mark(Self.old, confirm: true)?.groupError == nil)
        bench.restart()
        #expect(bench.state() == ["0.0 1.0.0 confirmed active", "0.1 1.1.0"])
    }

    @Test func `refuses hashes of other lengths, and unknown ones`() throws {
        var bench = try SMPBench()
        for (count, error) in [
            (31, "1.24"), (32, "1.8"), (33, "1.24"), (48, "1.8"), (64, "1.8"), (65, "1.24"),
        ] {
            let map: SMPMap = ["hash": .bytes([UInt8](repeating: 7, count: count))]
            #expect(bench.ask(SMPBench.write, 1, 0, map)?.groupError == error)
        }
    }

    @Test(arguments: [false, true])
    func `confirms another image than the running one only if the server allows it`(isAllowed: Bool) throws {
        var bench = try SMPBench {
            $0.images.append(.init(first: SMPImages.file("2.0.0")))
            $0.server.confirmsOtherImages = isAllowed
        }
        let core = SMPImages.file("2.1.0")
        _ = bench.upload(core, image: 1)
        #expect(bench.mark(core, confirm: true)?.groupError == (isAllowed ? nil : "1.32"))
        #expect(bench.mark(SMPImages.file("2.0.0"), confirm: true)?.groupError == "1.32")
        #expect(
            bench.state() == [
                "0.0 1.0.0 confirmed active", "1.0 2.0.0 confirmed active",
                isAllowed ? "1.1 2.1.0 pending permanent" : "1.1 2.1.0",
            ])
    }

    @Test func `leaves out false flags if the server does so`() throws {
        var bench = try SMPBench { $0.server.leavesOutFalseFlags = true }
        let answer = bench.ask(SMPBench.read, 1, 0)
        let map = try #require(answer)
        #expect(map.fields.map(\.key) == ["images"])
        #expect(
            map["images"]?.list?.first?.map?.fields.map(\.key)
                == ["slot", "version", "hash", "bootable", "confirmed", "active"])
        var full = try SMPBench()
        #expect(full.ask(SMPBench.read, 1, 0)?["splitStatus"]?.number == 0)
    }

    @Test(arguments: [
        ("1.2.3", "1.2.3"), ("1.2.3+4", "1.2.3.4"), ("255.255.65535+4294967295", "255.255.65535.4294967295"),
    ])
    func `shows a version with its build number`(version: String, text: String) throws {
        var bench = try SMPBench { $0.images[0].second = SMPImages.file(version) }
        #expect(bench.state().last == "0.1 \(text)")
    }

    @Test func `shows no slot that has no image`() throws {
        for flaw in [Array(SMPImages.next.dropLast(38)), Array(SMPImages.next.prefix(200)), [1, 2, 3]] {
            var bench = try SMPBench { $0.images[0].second = flaw }
            #expect(bench.state() == ["0.0 1.0.0 confirmed active"])
        }
    }

    @Test func `cannot mark an image with a damaged trailer`() throws {
        let padding = [UInt8](repeating: 0xFF, count: 32 * 1024 - SMPImages.next.count - 1) + [0]
        var bench = try SMPBench { $0.images[0].second = SMPImages.next + padding }
        #expect(bench.mark(SMPImages.next, confirm: false)?.groupError == "1.23")
    }

    @Test func `is read before a confirmation by careful clients`() throws {
        var bench = try SMPBench()
        _ = bench.mark(nil, confirm: true)
        #expect(bench.errors == ["smp-confirm-before-read"])
        _ = bench.state()
        _ = bench.mark(nil, confirm: true)
        #expect(bench.errors.count == 1)
    }
}
