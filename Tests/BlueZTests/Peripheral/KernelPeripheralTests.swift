import Bluetooth
import Glibc
import Simulation
import TestSupport
import Testing

@testable import BlueZ

/// A listener to which a test connects.
private struct FakeListener: ChannelListener {
    let channels: Shared<[(PacketSocket, DeviceAddress)]>
    let news: OneShot<Void>

    func accept() async throws(SocketError) -> (PacketSocket, DeviceAddress) {
        if let channel = channels.change({ $0.isEmpty ? nil : $0.removeFirst() }) { return channel }
        _ = await news.value()
        guard let channel = channels.change({ $0.isEmpty ? nil : $0.removeFirst() }) else {
            throw SocketError(call: "accept", errno: ECANCELED)
        }
        return channel
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A kernel controller as a peripheral` {
    private static let payload = AdvertisingPayload(AdvertisingData([0x02, 0x01, 0x06]))
    /// On, with BR/EDR and LE.
    private static let classic: UInt32 = 0x281

    /// Runs `body` with a peripheral whose kernel has `script`; `after` sees the commands when the scope has ended.
    private static func withPeripheral(
        settings: UInt32 = 0x201, refusing refusals: [UInt16: UInt8] = [:], listening failure: Int32? = nil,
        _ body:
            @escaping @Sendable (KernelPeripheral, ScriptedKernel, FakeListener, VirtualTime) async throws ->
            Void, after: @escaping @Sendable ([Request]) -> Void = { _ in }
    ) async throws {
        try await withAdapter(ScriptedKernel.controller(settings: settings, refusing: refusals)) {
            adapter, kernel, time in
            let listener = FakeListener(channels: Shared([]), news: OneShot())
            try await KernelPeripheral.withPeripheral(
                on: adapter,
                listening: { (_, _, _) throws(SocketError) in
                    if let failure { throw SocketError(call: "bind", errno: failure) }
                    return listener
                }
            ) { try await body($0, kernel, listener, time) }
        } after: { kernel in
            after(Array(kernel.requests.dropFirst(3)))
        }
    }

    private static func failure(_ link: @Sendable () async throws -> PeripheralLink) async -> AdapterError? {
        do {
            _ = try await link()
            return nil
        } catch { return error as? AdapterError }
    }

    @Test func `advertises at its own address without changing any setting`() async throws {
        try await Self.withPeripheral { peripheral, _, _, _ in
            try await peripheral.advertise(Self.payload, at: nil)
            #expect(peripheral.ownAddress.description == "11:22:33:44:55:66")
        } after: { requests in
            #expect(requests.map(\.opcode) == [0x54, 0x55, 0x3F])
            // Instance 1, connectable, with intervals of 100 ms.
            #expect(
                requests[0].parameters == [UInt8](hex: "01 01400000 0000 0000 A0000000 A0000000 7F"))
            #expect(requests[1].parameters == [UInt8](hex: "01 03 00 020106"))
        }
    }

    @Test func `uses a random static address while BR/EDR is off, then restores both`() async throws {
        let beacon = try address("F0:0D:00:00:00:01")
        try await Self.withPeripheral(settings: Self.classic) { peripheral, _, _, _ in
            try await peripheral.advertise(Self.payload, at: beacon)
        } after: { requests in
            #expect(
                requests.map(\.opcode) == [
                    0x05, 0x2A, 0x2B, 0x05, 0x54, 0x55, 0x3F, 0x05, 0x2A, 0x2B, 0x05,
                ])
            #expect(requests[..<4].map(\.parameters) == [[0], [0], [UInt8](hex: "01000000 0DF0"), [1]])
            #expect(requests[7...].map(\.parameters) == [[0], [1], [0, 0, 0, 0, 0, 0], [1]])
        }
    }

    @Test func `removes a static address that a killed run has left`() async throws {
        try await Self.withPeripheral(settings: 0x8201) { peripheral, _, _, _ in
            try await peripheral.advertise(Self.payload, at: nil)
        } after: { requests in
            #expect(requests.map(\.opcode) == [0x05, 0x2B, 0x05, 0x54, 0x55, 0x3F])
            #expect(requests[1].parameters == [0, 0, 0, 0, 0, 0])
        }
    }

    @Test func `changes its payload without a restart, and sends the same one only once`() async throws {
        try await Self.withPeripheral { peripheral, _, _, _ in
            try await peripheral.advertise(Self.payload, at: nil)
            try await peripheral.advertise(Self.payload, at: nil)
            try await peripheral.advertise(AdvertisingPayload(AdvertisingData()), at: nil)
        } after: { requests in
            #expect(requests.map(\.opcode) == [0x54, 0x55, 0x55, 0x3F])
        }
    }

    @Test func `uses the older command if the kernel has no other`() async throws {
        try await Self.withPeripheral(refusing: [0x54: 0x01]) { peripheral, _, _, _ in
            try await peripheral.advertise(Self.payload, at: nil)
            try await peripheral.advertise(AdvertisingPayload(AdvertisingData()), at: nil)
        } after: { requests in
            #expect(requests.map(\.opcode) == [0x54, 0x3E, 0x3E, 0x3F])
            #expect(requests[1].parameters == [UInt8](hex: "01 01000000 0000 0000 03 00 020106"))
        }
    }

    @Test(
        arguments: [
            (0x54, 0x14, .notPermitted(capability: "CAP_NET_ADMIN", to: "advertise with hci0")),
            (0x54, 0x12, .unavailable("hci0 is blocked by a radio switch (rfkill)")),
            (
                0x54, 0x0D,
                .unavailable(
                    "hci0 could not advertise: the kernel answers 'invalid parameters' to Add Extended "
                        + "Advertising Parameters")
            ),
        ] as [(UInt16, UInt8, AdapterError)])
    func `reports why it cannot advertise`(_ opcode: UInt16, _ status: UInt8, _ error: AdapterError)
        async throws
    {
        try await Self.withPeripheral(refusing: [opcode: status]) { peripheral, _, _, _ in
            await #expect(throws: error) { try await peripheral.advertise(Self.payload, at: nil) }
        }
    }

    @Test(
        arguments: [
            (EADDRINUSE, .attributesTaken(adapter: "hci0", nil)),
            (EACCES, .notPermitted(capability: "CAP_NET_BIND_SERVICE", to: "listen on attributes")),
            (ENODEV, .system(call: "bind", errno: ENODEV)),
        ] as [(Int32, AdapterError)])
    func `reports why it cannot listen`(_ errno: Int32, _ error: AdapterError) async throws {
        try await Self.withPeripheral(listening: errno) { peripheral, _, _, _ in
            await #expect(throws: error) { try await peripheral.advertise(Self.payload, at: nil) }
        }
    }

    @Test func `accepts only a random static address`() async throws {
        let resolvable = try address("4F:0D:00:00:00:01")
        try await Self.withPeripheral { peripheral, _, _, _ in
            await #expect(throws: AdapterError.self) {
                try await peripheral.advertise(Self.payload, at: resolvable)
            }
        } after: { requests in
            #expect(requests.isEmpty)
        }
    }

    @Test func `delivers the channel of a client, and ends the link at once`() async throws {
        let client = try address("F0:0D:00:00:00:02")
        try await Self.withPeripheral { peripheral, kernel, listener, time in
            try await peripheral.advertise(Self.payload, at: nil)
            let (near, far) = try PacketSocket.pair(readiness: time)
            async let link = peripheral.nextLink()
            try await kernel.say(
                Packet.event(0x0B, 0, client.managementBytes + [0, 0, 0, 0, 0, 0]))
            listener.channels.change { $0.append((far, client)) }
            listener.news.resolve(())
            let ours = try await link
            #expect(ours.peer == client)
            try await near.send([0x02, 0x17, 0x00])
            #expect(try await ours.channel.receive() == [0x02, 0x17, 0x00])
            async let done: Void = peripheral.end(ours)
            try await time.clock.sleep(for: .milliseconds(10))
            try await kernel.say(Packet.event(0x0C, 0, client.managementBytes + [2]))
            await done
            #expect(kernel.opcodes.last == 0x14)
            #expect(time.now < .seconds(1))
        }
    }

    @Test func `reports that another program has the attributes if no channel arrives`() async throws {
        let client = try address("F0:0D:00:00:00:02")
        try await Self.withPeripheral { peripheral, kernel, _, time in
            try await peripheral.advertise(Self.payload, at: nil)
            async let failure = Self.failure { try await peripheral.nextLink() }
            try await kernel.say(Packet.event(0x0B, 0, client.managementBytes + [0, 0, 0, 0, 0, 0]))
            #expect(await failure == .attributesTaken(adapter: "hci0", client))
            #expect(time.now == KernelPeripheral.acceptLimit)
        }
    }

    @Test(
        arguments: [
            ([0x05, 0x00, 0x00, 0x00, 0x00, 0x00], "hci0 was removed"),
            ([0x06, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x02, 0x00, 0x00], "hci0 was switched off"),
        ] as [([UInt8], String)])
    func `stops waiting for clients once its controller is gone`(_ event: [UInt8], _ text: String)
        async throws
    {
        try await Self.withPeripheral { peripheral, kernel, _, _ in
            try await peripheral.advertise(Self.payload, at: nil)
            async let failure = Self.failure { try await peripheral.nextLink() }
            try await kernel.say(event)
            #expect(await failure == .unavailable(text))
        }
    }
}
