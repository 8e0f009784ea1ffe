import Bluetooth
import Simulation
import Testing

/// kbeacon.md, 8.
@Suite(.timeLimit(.minutes(10))) struct `A simulated KBeacon before and after an update` {
    @Test func `enters its bootloader, on the link of a session or on any`() async throws {
        for hasSession in [true, false] {
            let bench = try `A simulated KBeacon`.bench()
            try await `A simulated KBeacon`.link(bench) { link async throws in
                if hasSession { #expect(try await link.begin() == "1302f7") }
                #expect(try await link.ask(KBeaconLink.buttonlessOn) == "13")
                #expect(try await link.enter() == ["13", "1d1600200101"])
                #expect(try await link.client.next() == nil)
            }
            #expect(await bench.beacon.mode == .bootloader)
            #expect(await bench.beacon.advertisement(at: bench.time.now)?.data.name == "DfuTarg")
        }
    }

    @Test func `may enter it only from a session`() async throws {
        let bench = try `A simulated KBeacon`.bench { $0.buttonlessNeedsSession = true }
        try await `A simulated KBeacon`.link(bench) { link async throws in
            #expect(try await link.ask(KBeaconLink.buttonlessOn) == "13")
            #expect(try await link.enter() == ["0112160008"])
            #expect(try await link.begin("Bench-07") == "13f1")
            #expect(try await link.enter() == ["0112160008"])
        }
        #expect(await bench.beacon.mode == .application)
        let seen = try #require(await bench.beacon.session)
        #expect(seen.brokenRules == [.commandBeforeSession: 2] && seen.writesAfterRefusal == 1)
        try await `A simulated KBeacon`.link(bench) { link async throws in
            #expect(try await link.begin() == "1302f7")
            #expect(try await link.ask(KBeaconLink.buttonlessOn) == "13")
            #expect(try await link.enter() == ["13", "1d1600200101"])
        }
        try await bench.time.sleep(for: .seconds(1))
        #expect(await bench.beacon.mode == .bootloader)
    }

    @Test(arguments: [true, false])
    func `has another version after an update, and its settings or those of the factory`(
        keeps: Bool
    ) async throws {
        let bench = try `A simulated KBeacon`.bench {
            $0.updatedVersion = "V6.31"
            $0.keepsSettings = keeps
        }
        try await `A simulated KBeacon`.link(bench) { link async throws in
            _ = try await link.begin()
            #expect(try await link.message(#"{"msg":"cfg","name":"Shelf 7","pwd":"Bench-07"}"#) == "")
            _ = try await link.ask(KBeaconLink.buttonlessOn)
            _ = try await link.enter()
        }
        try await bench.time.sleep(for: .seconds(1))
        #expect(try await bench.update() == "600401")
        try await bench.time.sleep(for: .seconds(10))
        #expect(await bench.beacon.mode == .application)
        try await `A simulated KBeacon`.link(bench) { link async throws in
            #expect(try await link.begin(keeps ? "Bench-07" : KBeaconDescription.factoryPassword) == "1302f7")
            let text = try #require(try await link.message(#"{"msg":"getPara","type":1}"#))
            #expect(text.contains(#""ver":"V6.31""#))
            #expect(text.contains(keeps ? #""name":"Shelf 7""# : #""name":"KBPro_000000""#))
        }
        let heard = await bench.beacon.reports(
            after: bench.time.now, through: bench.time.now + .seconds(30))
        #expect(heard.contains { $0.data.name == (keeps ? "Shelf 7" : "KBPro_000000") })
        let system: [UInt8] = [0x22, 5, 100, 0xF0, 0x0D, 0, 0, 0, 0xFF, 6, 31]
        #expect(heard.contains { $0.data.elements.contains(.serviceData(BluetoothUUID(0xFEAA), system)) })
    }

    @Test func `keeps its settings when its program dies`() async throws {
        let notebook = Notebook()
        let first = try BeaconBench(memory: notebook) { $0.becomeKBeacon(KBeaconDescription(.second)) }
        try await `A simulated KBeacon`.link(first) { link async throws in
            _ = try await link.begin()
            #expect(try await link.message(#"{"msg":"cfg","name":"Shelf 7","pwd":"Bench-07"}"#) == "")
        }
        let second = try BeaconBench(retained: notebook.state, retainedImage: notebook.image) {
            $0.becomeKBeacon(KBeaconDescription(.second))
        }
        try await `A simulated KBeacon`.link(second) { link async throws in
            #expect(try await link.begin("Bench-07") == "1302f7")
            let text = try await link.message(#"{"msg":"getPara","type":1}"#)
            #expect(text?.contains(#""name":"Shelf 7""#) == true)
            #expect(text?.contains(#""ver":"V6.20""#) == true)
        }
    }
}
