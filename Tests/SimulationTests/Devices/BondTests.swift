import Bluetooth
import Simulation
import TestSupport
import Testing

/// Buttonless with bonds (nordic-buttonless.md, Bonds).
@Suite struct `A beacon with bonds` {
    static func bench(
        _ faults: [Fault] = [], _ change: (inout NordicDescription) -> Void = { _ in }
    ) throws -> BeaconBench {
        try BeaconBench(faults) {
            $0.program = .application
            $0.requireBonds()
            change(&$0)
        }
    }

    /// The handles of Buttonless and of its configuration.
    static let value = "0d00"
    static let configuration = "0e00"

    /// Waits until the link is open.
    static func meet(_ client: LinkClient) async throws {
        try await client.send("021700")
        _ = try await client.next()
    }

    static func subscribe(_ client: LinkClient) async throws -> String? {
        try await client.send("12" + configuration + "0200")
        return try await client.next()
    }

    static func write(_ request: String, _ client: LinkClient) async throws -> String? {
        try await client.send("12" + value + request)
        return try await client.next()
    }

    @Test func `refuses value and configuration on a plain link`() async throws {
        let bench = try Self.bench()
        try await bench.link { client in
            let refusal = try await Self.subscribe(client)
            #expect(refusal == "0112" + Self.configuration + "05")
            #expect(try await Self.write("01", client) == "0112" + Self.value + "05")
            #expect(await bench.beacon.encrypt(with: nil) == .done(key: 1))
            #expect(try await Self.subscribe(client) == "13")
        }
    }

    @Test func `enters its bootloader only with a bond, and accepts no name`() async throws {
        let bench = try Self.bench { $0.keepsBonds = false }
        try await bench.link { client in
            try await Self.meet(client)
            #expect(await bench.beacon.encrypt(with: nil) == .done(key: nil))
            _ = try await Self.subscribe(client)
            #expect(try await Self.write("01", client) == "13")
            #expect(try await client.next() == "1d" + Self.value + "200107")
            try await client.send("1e")
            #expect(try await Self.write("0202" + "4142", client) == "13")
            #expect(try await client.next() == "1d" + Self.value + "200202")
        }
        #expect(await bench.beacon.mode == .application)
    }

    /// Pairs, enters the bootloader, and returns the key.
    func enter(_ bench: BeaconBench) async throws -> Int? {
        let key = try await bench.link { client in
            try await Self.meet(client)
            let encryption = await bench.beacon.encrypt(with: nil)
            _ = try await Self.subscribe(client)
            _ = try await Self.write("01", client)
            #expect(try await client.next() == "1d" + Self.value + "200101")
            try await client.send("1e")
            #expect(try await client.next() == nil)
            guard case .done(let key) = encryption else { return nil as Int? }
            return key
        }
        bench.clock.pass(until: .seconds(10))
        return key
    }

    @Test func `shows its bootloader at its own address, not discoverable`() async throws {
        let bench = try Self.bench()
        #expect(await bench.beacon.advertisement(at: bench.time.now)?.data.elements.first == .flags(0x06))
        #expect(try await enter(bench) == 1)
        let heard = try #require(await bench.beacon.advertisement(at: bench.time.now))
        #expect(heard.address == bench.beacon.description.address)
        #expect(heard.data.elements.first == .flags(0x04))
        #expect(heard.data.elements.contains(.services([AttributeTable.dfuService], complete: false)))
    }

    @Test func `admits the bonded central to its bootloader, and reports that services changed`() async throws
    {
        let bench = try Self.bench()
        let key = try await enter(bench)
        try await bench.link { client in
            // In the bootloader Service Changed is at 6, the service at 8, the Control Point at 10.
            try await client.send("120b00" + "0100")
            #expect(try await client.next() == "01120b0005")
            try await client.send("120a00" + "0601")
            #expect(try await client.next() == "01120a0005")
            #expect(await bench.beacon.encrypt(with: key) == .done(key: key))
            #expect(try await client.next() == "1d06000800ffff")
            try await client.send("1e")
            try await client.send("120b00" + "0100")
            #expect(try await client.next() == "13")
            try await client.send("120a00" + "0601")
            #expect(try await client.next() == "13")
            #expect(try await client.next() == "1b0a00" + "600601" + "000200000000000000000000")
        }
    }

    @Test(arguments: [(nil, "pairing is not supported"), (7, "the key is missing")] as [(Int?, String)])
    func `admits no other central`(_ key: Int?, _ reason: String) async throws {
        let bench = try Self.bench()
        _ = try await enter(bench)
        try await bench.link { client in
            try await Self.meet(client)
            #expect(await bench.beacon.encrypt(with: key) == .refused(reason))
            try await client.send("120b00" + "0100")
            #expect(try await client.next() == "01120b0005")
        }
    }

    @Test func `whose central forgets the bond is out of reach until its application is back`() async throws {
        let bench = try Self.bench([.nordic(.loseBond)])
        let key = try await enter(bench)
        try await bench.link { client in
            try await Self.meet(client)
            #expect(await bench.beacon.encrypt(with: key) == .refused("pairing is not supported"))
        }
        bench.clock.pass(until: .seconds(200))
        #expect(await bench.beacon.mode == .application)
        try await bench.link { client in
            try await Self.meet(client)
            #expect(await bench.beacon.encrypt(with: key) == .done(key: key))
        }
    }

    @Test func `may be bonded from the start, in either program`() async throws {
        for program in [Restart.Program.application, .bootloader] {
            let bench = try Self.bench {
                $0.isBonded = true
                $0.program = program
            }
            #expect(await bench.beacon.bond == 1)
            try await bench.link { client in
                try await Self.meet(client)
                #expect(await bench.beacon.encrypt(with: 1) == .done(key: 1))
            }
        }
    }

    @Test func `without bonds refuses to pair in both programs`() async throws {
        for program in [Restart.Program.application, .bootloader] {
            let bench = try BeaconBench { $0.program = program }
            try await bench.link { client in
                try await Self.meet(client)
                guard case .refused = await bench.beacon.encrypt(with: nil) else {
                    Issue.record("paired")
                    return
                }
            }
        }
    }
}
