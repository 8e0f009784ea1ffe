import Testing
import UpdateModel

@testable import MCUboot

@Suite struct `What a server of SMP refuses` {
    private static let new = testUpload(version: 2, count: 3000)

    private static func refusal(_ code: Int, _ group: Int? = 1) -> Item {
        group.map { .map([("err", .map([("group", .number($0)), ("rc", .number(code))]))]) }
            ?? .map([("rc", .number(code)), ("rsn", .text("because\u{1B}[2J"))])
    }

    @Test(arguments: 1...33) func `has a code and is never sent to the end`(code: Int) {
        for group in [nil, 1, 0, 63] as [Int?] {
            for request in ["1/1", "1/0", "0/5"] {
                var server = SMPServer()
                server.answers[request] = [Item?](repeating: Self.refusal(code, group), count: 1000)
                var bench = SMPBench([Self.new], server)
                do {
                    _ = try bench.run()
                    Issue.record("\(request) refused with \(code) succeeds")
                } catch {
                    let failure = error as? UpdateFailure
                    #expect(failure?.message.contains("\u{1B}") == false)
                    #expect(failure?.code != .system.internalError && failure?.code.exit != .done)
                    #expect(request != "1/1" || bench.payload < 15_000)
                }
            }
        }
    }

    @Test(
        arguments: [
            (9, .smp.noFreeSlot), (30, .device.insufficientSpace), (23, .smp.notMCUbootImage),
            (25, .smp.wrongSlot),
            (27, .device.firmwareVersionTooLow), (12, .smp.flashFailed), (22, .smp.packetsTooSmall),
            (24, .smp.requestRefused),
        ] as [(Int, FailureCode)]) func `is named by the number of the image group`(
            code: Int, expected: FailureCode
        )
    {
        var server = SMPServer()
        server.answers["1/1"] = [Item?](repeating: Self.refusal(code), count: 1000)
        var bench = SMPBench([Self.new], server)
        #expect(bench.failure == expected)
    }

    @Test(
        arguments: [
            (6, .smp.noFreeSlot), (8, .session.notSupported), (10, .session.beaconBusy),
            (11, .smp.accessDenied),
            (9, .smp.requestsLost), (2, .smp.requestRefused),
        ] as [(Int, FailureCode)]) func `is named by the general number`(code: Int, expected: FailureCode)
    {
        var server = SMPServer()
        server.answers["1/1"] = [Item?](repeating: Self.refusal(code, nil), count: 1000)
        var bench = SMPBench([Self.new], server)
        #expect(bench.failure == expected)
    }

    @Test(arguments: ["0/6", "0/8", "1/0", "1/1", "0/5"]) func `because it is busy is asked for again`(
        request: String
    ) throws {
        var server = SMPServer()
        server.answers[request] = [Self.refusal(10, nil), Self.refusal(10, nil)]
        var bench = SMPBench([Self.new], server)
        #expect(try bench.run().proof != nil)
        #expect(bench.rests == 2)
    }

    @Test func `by marking nothing is a downgrade that the bootloader prevents`() {
        var server = SMPServer()
        server.ignoresMarks = true
        var bench = SMPBench([Self.new], server)
        #expect(bench.failure == .smp.downgradePrevented)
        #expect(bench.update.effectOnApplication == .intact)
    }
}

@Suite struct `A beacon after an update over SMP` {
    private static let new = testUpload(version: 2, hasAddress: true)

    @Test(arguments: [(SMPServer.Boot.refuses, FailureCode.smp.refusedAtBoot), (.skips, .smp.imageReverted)])
    func `that runs the previous image is named`(boot: SMPServer.Boot, expected: FailureCode) throws {
        for mode in [1, 2, 4, 5] {
            var server = SMPServer()
            (server.boot, server.mode) = (boot, mode)
            var bench = SMPBench([Self.new], server)
            let failure = #expect(throws: UpdateFailure.self) { try bench.run() }
            #expect(failure?.code == expected)
            #expect(failure?.message.contains("1.0.0") == true)
            #expect(bench.update.effectOnApplication == .intact)
        }
    }

    @Test func `that does not restart is told again`() throws {
        var server = SMPServer()
        server.answers["0/5"] = [.map([])]
        var bench = SMPBench([Self.new], server)
        #expect(try bench.run().proof != nil)
        server.answers["0/5"] = [Item?](repeating: .map([]), count: 9)
        bench = SMPBench([Self.new], server)
        #expect(bench.failure == .smp.notInstalled)
    }

    @Test func `that does not keep the confirmation is named`() throws {
        var server = SMPServer()
        server.ignoresConfirmations = true
        var bench = SMPBench([Self.new], server)
        #expect(bench.failure == .smp.confirmRefused)
        #expect(bench.update.effectOnApplication == .new)
    }

    @Test(arguments: [("2.0.0", true), ("2.0.0+0", true), ("v2.0.0", true), ("2.0.1", false), ("two", false)])
    func `has to report the version that the user expects`(text: String, isMet: Bool) {
        var preferences = SMPPreferences()
        preferences.versionText = text
        var bench = SMPBench([Self.new], preferences, SMPServer())
        #expect(bench.failure == (isMet ? nil : .device.versionMismatch))
        #expect(bench.server.confirmations == (isMet ? 1 : 0))
        let failure = UpdateFailure(.device.versionMismatch, during: "verifying", message: "another version")
        let remedy = bench.update.remedy(for: failure)?.description
        #expect(remedy?.hasSuffix("flash with the expected version '2.0.0'") == (isMet ? nil : true))
    }
}
