import Bytes
import Simulation
import Testing

@Suite struct `A fault on request` {
    /// The Firmware Revision String, by Read By Type; nil if there is none.
    func revision(_ bench: BeaconBench) async throws -> String? {
        try await bench.link { client in
            try await client.send("08" + "0100" + "ffff" + "262a")
            let answer = try await client.next() ?? ""
            guard answer.hasPrefix("09") else { return nil }
            return String(decoding: hex(String(answer.dropFirst(8))), as: UTF8.self)
        }
    }

    @Test(
        arguments: [
            (FirmwareRevision.number, "20731"), (.dotted, "2.7.31"), (.text("always"), "always"),
            (.none, nil),
        ] as [(FirmwareRevision, String?)])
    func `leaves the firmware revision of the application as it was built`(
        _ kind: FirmwareRevision, _ text: String?
    ) async throws {
        let bench = try BeaconBench {
            $0.program = .application
            $0.applicationVersion = 20731
            $0.firmwareRevision = kind
        }
        #expect(try await revision(bench) == text)
    }

    @Test(arguments: [false, true])
    func `can restart the old application after a verified image`(_ isOrdered: Bool) async throws {
        let bench = try BeaconBench(isOrdered ? [.nordic(.keepOldApplication)] : [])
        #expect(try await bench.update() == "600401")
        bench.clock.pass(until: .seconds(30))
        let running = try #require(await bench.beacon.runningApplication)
        #expect(running.version == (isOrdered ? 0 : 1))
        #expect((running.image == GoldenUpdate.image) == !isOrdered)
        #expect(try await revision(bench) == (isOrdered ? "0" : "1"))
    }

    @Test(arguments: [1, 2])
    func `can cut the power in the middle of an object, once`(_ object: Int) async throws {
        let bench = try BeaconBench([.nordic(.powerLossInObject(object))])
        await #expect(throws: (any Error).self) {
            let answer = try await bench.update()
            if answer == nil { throw BeaconBench.Failure() }
        }
        #expect(await bench.beacon.state.statistics.objectsCreated == object)
        await bench.beacon.startBootloader()
        #expect(try await bench.update() == "600401")
    }

    @Test func `can answer one Execute with a chosen result, without carrying it out`() async throws {
        let bench = try BeaconBench([.nordic(.answerExecute(3, with: [0x05]))])
        try await bench.link { client in
            try await client.start()
            try await client.bring(GoldenUpdate.signed, type: 1)
            #expect(try await client.ask("04") == "600401")
            try await client.bring(Array(GoldenUpdate.image[..<4096]), type: 2)
            #expect(try await client.ask("04") == "600401")
            try await client.bring(Array(GoldenUpdate.image[4096...]), type: 2)
            #expect(try await client.ask("04") == "600405")
            #expect(try await client.ask("04") == "600401")
        }
    }
}
