import Bluetooth
import Bytes
import Testing

@testable import Simulation

/// Reactions in short words: `tell 200101`, `tell 200201 +90`, `name 4142`, `enter +20`, `crash`.
private func words(_ reactions: [ButtonlessApplication.Reaction]) -> [String] {
    func later(_ moment: Duration) -> String {
        moment == .zero ? "" : " +\(Int(moment / .milliseconds(1)))"
    }
    return reactions.map {
        switch $0 {
        case .notify(let value, let moment): "tell \(HexText.encode(value))" + later(moment)
        case .storeName(let name): "name \(HexText.encode(name))"
        case .enterBootloader(let moment): "enter" + later(moment)
        case .crash: "crash"
        }
    }
}

@Suite struct `An application with a buttonless characteristic` {
    @Test func `resets only after its indication was confirmed`() {
        var application = ButtonlessApplication(.named)
        #expect(words(application.request([0x01], at: .zero)) == ["tell 200101"])
        #expect(words(application.request([0x01], at: .zero)) == ["tell 200106"])
        #expect(words(application.confirmed(at: .zero)) == ["enter +20"])
    }

    @Test func `does not reset when the link ends before that`() {
        var application = ButtonlessApplication(.named)
        _ = application.request([0x01], at: .zero)
        application.disconnected()
        #expect(words(application.confirmed(at: .zero)) == [])
    }

    @Test func `of SDK 12 notifies and resets by itself`() {
        var application = ButtonlessApplication(.experimental)
        #expect(words(application.request([0x01], at: .zero)) == ["tell 200101", "enter +20"])
    }

    @Test func `accepts a name of 1 to 20 bytes, after a flash write`() {
        var application = ButtonlessApplication(.named)
        #expect(
            words(application.request([0x02, 2, 0x41, 0x42], at: .zero)) == ["name 4142", "tell 200201 +90"])
        #expect(words(application.request([0x01], at: .zero)) == ["tell 200106"])
        #expect(words(application.confirmed(at: .zero)) == [])
        #expect(words(application.request([0x01], at: .zero)) == ["tell 200101"])
    }

    @Test(arguments: [[0x02], [0x02, 0x00], [0x02, 0x03, 0x41], [0x02, 0x01, 0x41, 0x42]] as [[UInt8]])
    func `refuses a name whose length is wrong`(_ request: [UInt8]) {
        var application = ButtonlessApplication(.named)
        #expect(words(application.request(request, at: .zero)) == ["tell 200205"])
    }

    @Test(arguments: [ButtonlessKind.nameless, .experimental])
    func `refuses names before SDK 14, and unknown requests`(_ kind: ButtonlessKind) {
        var application = ButtonlessApplication(kind)
        #expect(words(application.request([0x02, 1, 0x41], at: .zero)) == ["tell 200202"])
        #expect(words(application.request([0x07], at: .zero)) == ["tell 200702"])
        #expect(words(application.request([0x01, 0x00], at: .zero)) == ["tell 200102"])
        #expect(words(application.request([], at: .zero)) == [])
    }

    @Test func `crashes if a fault requires it`() {
        var application = ButtonlessApplication(.named, crashesOnName: true)
        #expect(words(application.request([0x02, 1, 0x41], at: .zero)) == ["crash"])
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A simulated beacon in its application` {
    /// The handle of the buttonless value: after Generic Access (3) and Device Information (3), its service and
    /// declaration.
    private static let value: UInt16 = 9

    private func bench(_ change: (inout NordicDescription) -> Void = { _ in }) throws -> BeaconBench {
        try BeaconBench {
            $0.program = .application
            change(&$0)
        }
    }

    @Test func `refuses a request while its indications are off`() async throws {
        let bench = try bench()
        try await bench.link { client in
            try await client.bearer.send([0x12, 9, 0, 0x01])
            #expect(try await client.bearer.receive() == [0x01, 0x12, 9, 0, 0xFD])
        }
        #expect(await bench.beacon.mode == .application)
    }

    @Test func `starts its bootloader, under the given name, until an application starts`()
        async throws
    {
        let bench = try bench()
        try await bench.link { client in
            let bearer = client.bearer
            try await bearer.send([0x12, 10, 0, 2, 0])
            #expect(try await bearer.receive() == [0x13])
            try await bearer.send([0x12, 9, 0, 0x02, 2, 0x41, 0x42])
            #expect(try await bearer.receive() == [0x13])
            #expect(try await bearer.receive() == [0x1D, 9, 0, 0x20, 0x02, 0x01])
            try await bearer.send([0x1E])
            try await bearer.send([0x12, 9, 0, 0x01])
            #expect(try await bearer.receive() == [0x13])
            #expect(try await bearer.receive() == [0x1D, 9, 0, 0x20, 0x01, 0x01])
            #expect(await bench.beacon.mode == .application)
            try await bearer.send([0x1E])
            #expect(try await bearer.receive() == nil)
        }
        #expect(await bench.beacon.mode == .bootloader)
        let heard = try #require(await bench.beacon.advertisement(at: bench.time.now))
        #expect(heard.data.name == "AB")
        #expect(heard.address == DeviceAddress("F0:0D:00:00:00:00"))
        // Two minutes without a request: the old application, and the name is gone.
        try await bench.time.sleep(for: .seconds(121))
        #expect(await bench.beacon.mode == .application)
        await bench.beacon.startBootloader()
        #expect(await bench.beacon.advertisement(at: bench.time.now)?.data.name == "DfuTarg")
    }
}
