import Bluetooth
import Glibc
import Logging
import Simulation
import Synchronization
import TestSupport
import Testing

@testable import BlueZ

private let powered: UInt32 = 0x001
private let lowEnergy: UInt32 = 0x200

@Suite(.timeLimit(.minutes(10))) struct `The scope of the kernel's adapter` {
    static let switches: [UInt16] = [0x05, 0x0D]

    @Test func `changes nothing on a controller that is on`() async throws {
        try await withAdapter(poweringOn: true) { adapter, _, _ in
            #expect(adapter.name == "hci0")
        } after: { kernel in
            #expect(kernel.opcodes == [0x03, 0x04])
        }
    }

    @Test(
        arguments: [
            (0, ["0D0000000100 01", "050000000100 01"], ["050000000100 00", "0D0000000100 00"]),
            (powered, ["0D0000000100 01"], ["0D0000000100 00"]),
            (lowEnergy, ["050000000100 01"], ["050000000100 00"]),
        ] as [(UInt32, [String], [String])])
    func `switches a controller on, and off again at the end`(
        _ settings: UInt32, _ there: [String], _ back: [String]
    ) async throws {
        try await withAdapter(ScriptedKernel.controller(settings: settings), poweringOn: true) {
            _, kernel, _ in
            #expect(Array(kernel.requests.dropFirst(2)) == there.compactMap { Request([UInt8](hex: $0)) })
        } after: { kernel in
            #expect(kernel.requests.suffix(back.count) == back.compactMap { Request([UInt8](hex: $0)) }[...])
            #expect(kernel.requests.count == 2 + there.count + back.count)
        }
    }

    @Test func `switches it off when it is cancelled`() async throws {
        try await withAdapter(
            ScriptedKernel.controller(settings: 0), poweringOn: true, within: .seconds(1)
        ) { _, _, time in
            try await time.clock.sleep(for: .seconds(100))
        } after: { kernel in
            #expect(kernel.opcodes.suffix(2) == [0x05, 0x0D])
            #expect(kernel.requests.suffix(2).map(\.parameters) == [[0], [0]])
        }
    }

    /// The first command succeeds, the second is refused: the first has to be undone.
    @Test func `undoes the first change when the second is refused`() async throws {
        let script = ScriptedKernel.controller(settings: 0, refusing: [0x05: 0x12])
        let error = await #expect(throws: AdapterError.self) {
            try await withAdapter(script, poweringOn: true) { _, _, _ in
                Issue.record("there is no adapter")
            } after: { kernel in
                #expect(kernel.requests.last == Request([UInt8](hex: "0D0000000100 00")))
            }
        }
        #expect(
            error
                == .unavailable(
                    "hci0 could not be switched on: the kernel answers 'rfkilled' to Set Powered"))
    }

    @Test(
        arguments: [
            (0, "hci0 is off"),
            (powered, "hci0 is on without Low Energy"),
        ] as [(UInt32, String)])
    func `reports what is off`(_ settings: UInt32, _ text: String) async throws {
        await #expect(throws: AdapterError.unavailable(text)) {
            try await withAdapter(ScriptedKernel.controller(settings: settings)) { _, _, _ in }
        }
    }

    @Test func `names the capability that switching on needs`() async throws {
        let error = AdapterError.notPermitted(capability: "CAP_NET_ADMIN", to: "switch hci0 on")
        let script = ScriptedKernel.controller(settings: 0, refusing: [0x05: 0x14, 0x0D: 0x14])
        await #expect(throws: error) { try await withAdapter(script, poweringOn: true) { _, _, _ in } }
    }

    /// Supports LE 1M, 2M and coded, or other PHYs, and BR/EDR packets that cannot be deselected.
    static func chooses(
        _ selected: String, of supported: String = "FF7F0000 007E0000", settings: UInt32 = powered | lowEnergy
    ) -> ScriptedKernel.Script {
        let ordinary = ScriptedKernel.controller(settings: settings)
        return { request in
            switch request.opcode {
            case 0x04:
                [request.complete(Packet.information(settings: settings, supported: 0x0001_FEFF))]
            case 0x44: [request.complete([UInt8](hex: "\(supported) \(selected)"))]
            default: ordinary(request)
            }
        }
    }

    @Test func `lets links have LE 2M, and restores the selection`() async throws {
        try await withAdapter(Self.chooses("FF060000")) { _, kernel, _ in
            #expect(kernel.requests.last == Request([UInt8](hex: "450000000400 FF1E0000")))
        } after: { kernel in
            #expect(kernel.requests.last == Request([UInt8](hex: "450000000400 FF060000")))
            #expect(kernel.opcodes == [0x03, 0x04, 0x44, 0x45, 0x45])
        }
    }

    @Test func `selects LE Coded on request, and restores the selection`() async throws {
        try await withAdapter(Self.chooses("FF060000"), coded: true) { _, kernel, _ in
            #expect(kernel.requests.last == Request([UInt8](hex: "450000000400 FF7E0000")))
        } after: { kernel in
            #expect(kernel.requests.last == Request([UInt8](hex: "450000000400 FF060000")))
        }
    }

    @Test(
        arguments: [
            ("FF060000", "FF7F0000 007E0000", false, .notSelected),
            ("FF060000", "FF7F0000 007E0000", true, .selected),
            ("FF7E0000", "FF7F0000 007E0000", false, .selected),
            ("FF060000", "FF1F0000 001E0000", false, .missing),
            ("FF060000", "FF1F0000 001E0000", true, .missing),
            // It cannot be selected.
            ("FF060000", "FF7F0000 001E0000", false, nil), ("FF060000", "FF7F0000 001E0000", true, nil),
        ] as [(String, String, Bool, CodedReception?)])
    func `tells whether it listens on LE Coded`(
        _ selected: String, _ supported: String, _ coded: Bool, _ expected: CodedReception?
    ) async throws {
        try await withAdapter(Self.chooses(selected, of: supported), coded: coded) { adapter, _, _ in
            #expect(adapter.coded == expected)
        }
    }

    @Test func `does not tell whether it listens on LE Coded where the kernel does not`() async throws {
        try await withAdapter(coded: true) { adapter, _, _ in #expect(adapter.coded == nil) }
    }

    @Test func `leaves a selection alone that includes LE 2M`() async throws {
        try await withAdapter(Self.chooses("FF7E0000")) { _, _, _ in
        } after: { kernel in
            #expect(kernel.opcodes == [0x03, 0x04, 0x44])
        }
    }

    @Test func `restores the selection before it switches off`() async throws {
        try await withAdapter(Self.chooses("FF060000", settings: lowEnergy), poweringOn: true) { _, _, _ in
        } after: { kernel in
            #expect(kernel.opcodes == [0x03, 0x04, 0x05, 0x44, 0x45, 0x45, 0x05])
        }
    }

    /// Removed, plugged in again, and off, as new controllers are.
    @Test func `switches a controller on again after it is plugged in again`() async throws {
        let settings = Shared(powered | lowEnergy)
        let script: ScriptedKernel.Script = { request in
            if request.opcode == 0x05 { settings.change { $0 = request.parameters == [1] ? 0x201 : 0x200 } }
            return ScriptedKernel.controller(settings: settings.change { $0 })(request)
        }
        try await withAdapter(script, poweringOn: true) { adapter, kernel, time in
            try await kernel.say(Packet.indexRemoved)
            try await time.clock.sleep(for: .seconds(1))
            #expect(adapter.presence.value == .removed)
            settings.change { $0 = lowEnergy }
            try await kernel.say(Packet.event(0x04, 0, []))
            try await adapter.awaitController()
            #expect(time.now == .seconds(1))
        } after: { kernel in
            #expect(kernel.requests.filter { $0.opcode == 0x05 }.map(\.parameters) == [[1], [0]])
        }
    }

    @Test func `retries when a controller cannot be switched on at once`() async throws {
        let refusals = Shared(0)
        let isBack = Shared(false)
        let script: ScriptedKernel.Script = { request in
            guard isBack.change({ $0 }) else { return ScriptedKernel.controller()(request) }
            let count = refusals.change { count -> Int in
                if request.opcode == 0x05 { count += 1 }
                return count
            }
            if request.opcode == 0x05, count < 3 { return [request.refused(0x0A)] }
            return ScriptedKernel.controller(settings: count < 3 ? 0x200 : 0x201)(request)
        }
        try await withAdapter(script, poweringOn: true) { adapter, kernel, time in
            try await kernel.say(Packet.indexRemoved)
            try await time.clock.sleep(for: .seconds(1))
            isBack.change { $0 = true }
            try await kernel.say(Packet.event(0x04, 0, []))
            try await adapter.awaitController()
            #expect(time.now == .seconds(1) + .milliseconds(750))
        }
    }

    @Test func `waits for another program to switch a controller on when it lacks the permission`()
        async throws
    {
        let settings = Shared(powered | lowEnergy)
        let script: ScriptedKernel.Script = { request in
            ScriptedKernel.controller(settings: settings.change { $0 })(request)
        }
        try await withAdapter(script) { adapter, kernel, time in
            try await kernel.say(Packet.indexRemoved)
            try await time.clock.sleep(for: .seconds(1))
            settings.change { $0 = 0 }
            try await kernel.say(Packet.event(0x04, 0, []))
            try await time.clock.sleep(for: .seconds(1))
            #expect(adapter.presence.value == .switchedOff)
            settings.change { $0 = powered | lowEnergy }
            let waiting = Task(executorPreference: time) { try await adapter.awaitController() }
            try await time.clock.sleep(for: .seconds(1))
            try await kernel.say(Packet.event(0x06, 0, [1, 2, 0, 0]))
            try await waiting.value
            #expect(time.now == .seconds(3))
        } after: { kernel in
            #expect(!kernel.opcodes.contains(0x05))
        }
    }

    /// Between the choice and the first read of its events.
    @Test func `notices a controller that is removed while it is chosen`() async throws {
        let script: ScriptedKernel.Script = { request in
            ScriptedKernel.controller()(request) + (request.opcode == 0x04 ? [Packet.indexRemoved] : [])
        }
        try await withAdapter(script) { adapter, _, time in
            try await time.clock.sleep(for: .milliseconds(1))
            await #expect(throws: AdapterError.unavailable("hci0 was removed")) {
                try await adapter.awaitController()
            }
        }
    }

    @Test func `skips a controller that cannot be read, unless it was named`() async throws {
        let script: ScriptedKernel.Script = { request in
            request.opcode == 0x04 && request.index == 0 ? [request.refused(0x11)] : Self.pair(request)
        }
        try await withAdapter(script) { adapter, _, _ in #expect(adapter.name == "hci1") }
        let error = AdapterError.unavailable(
            "hci0 cannot be used: the kernel answers 'invalid index' to Read Controller Information")
        await #expect(throws: error) { try await withAdapter(script, name: "hci0") { _, _, _ in } }
    }

    static let pair: ScriptedKernel.Script = { request in
        switch (request.opcode, request.index) {
        case (0x03, _): [request.complete([2, 0, 0, 0, 1, 0])]
        case (0x04, 0): [request.complete(Packet.information(settings: lowEnergy))]
        case (0x04, _): [request.complete(Packet.information())]
        default: [request.complete()]
        }
    }

    @Test func `uses the first controller that is on, or the one that was named`() async throws {
        try await withAdapter(Self.pair) { adapter, _, _ in #expect(adapter.name == "hci1") }
        try await withAdapter(Self.pair, name: "hci0", poweringOn: true) { adapter, _, _ in
            #expect(adapter.name == "hci0")
        }
        let missing = AdapterError.unavailable(
            "no adapter hci7; present: hci0 (11:22:33:44:55:66), hci1 (11:22:33:44:55:66)")
        await #expect(throws: missing) { try await withAdapter(Self.pair, name: "hci7") { _, _, _ in } }
    }

    @Test func `reports that there is no controller`() async throws {
        let none: ScriptedKernel.Script = { [$0.complete([0, 0])] }
        await #expect(throws: AdapterError.unavailable("this machine has no Bluetooth adapter")) {
            try await withAdapter(none) { _, _, _ in }
        }
        await #expect(throws: AdapterError.unavailable("no adapter hci0; present: none")) {
            try await withAdapter(none, name: "hci0") { _, _, _ in }
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A link of the kernel's adapter` {
    static func open(_ adapter: KernelAdapter, _ text: String) async throws {
        // Without Bluetooth in the kernel there is no socket; with it there is no such device.
        let peer = try address(text)
        await #expect(throws: AdapterError.self) {
            let channel = try await adapter.open(
                .attributes, to: peer, asking: LinkRequest(), within: .seconds(5))
            channel.close()
        }
    }

    @Test func `is entered in the connection list before it is opened`() async throws {
        try await withAdapter { adapter, kernel, _ in
            try await Self.open(adapter, "F0:0D:00:00:00:01")
            let entry = [UInt8](hex: "01000000 0DF0 02 0C00 0C00 0000 5802")
            let first = kernel.requests.filter { $0.opcode == 0x35 }.last
            #expect(first?.parameters == [1, 0] + entry)
            // The list replaces the previous one, so it has to keep the earlier device.
            try await Self.open(adapter, "F0:0D:00:00:00:02")
            let list = kernel.requests.filter { $0.opcode == 0x35 }.last?.parameters ?? []
            #expect(list.prefix(2) == [2, 0])
            let second = [UInt8](hex: "02000000 0DF0 02 0C00 0C00 0000 5802")
            #expect(Set([Array(list.dropFirst(2).prefix(15)), Array(list.suffix(15))]) == [entry, second])
        }
    }

    @Test func `is not begun by a cancelled task`() async throws {
        try await withAdapter { adapter, _, time in
            let peer = try address("F0:0D:00:00:00:01")
            let task = Task(executorPreference: time) {
                do throws(AdapterError) {
                    _ = try await adapter.open(
                        .attributes, to: peer, asking: LinkRequest(), within: .seconds(5))
                    return AdapterError?.none
                } catch { return error }
            }
            task.cancel()
            #expect(await task.value == .cancelled)
        }
    }

    @Test func `fails with the system call if the kernel has no Bluetooth`() async throws {
        let probe = socket(31, Int32(SOCK_SEQPACKET.rawValue), 0)
        guard probe < 0, errno == EAFNOSUPPORT else { return }
        try await withAdapter(ScriptedKernel.controller(refusing: [0x35: 0x14])) { adapter, _, time in
            let peer = try address("F0:0D:00:00:00:01")
            await #expect(throws: AdapterError.system(call: "socket", errno: EAFNOSUPPORT)) {
                try await adapter.open(.attributes, to: peer, asking: LinkRequest(), within: .seconds(5))
            }
            #expect(time.now == .zero)
        }
        await #expect(throws: AdapterError.self) {
            try await KernelAdapter.withAdapter(
                nil, poweringOn: false, on: try EventLoop.shared.get(), log: Logger(label: "test")
            ) { _ in }
        }
    }

    @Test(
        arguments: [
            ([0, 0x0C], .zero), ([0], .seconds(3)), ([2], .zero), ([0x14], .seconds(3)), ([0, 0x05], .zero),
        ] as [([UInt8], Duration)])
    func `begins only after the previous one has ended`(_ answer: [UInt8], _ wait: Duration) async throws {
        let peer = [UInt8](hex: "01000000 0DF0 02")
        let ordinary = ScriptedKernel.controller()
        let script: ScriptedKernel.Script = { request in
            guard request.opcode == 0x14 else { return ordinary(request) }
            let status = answer[0] == 0 ? request.complete(peer) : request.refused(answer[0])
            return [status]
                + answer.dropFirst().map { code in
                    Packet.event(UInt16(code), 0, code == 0x0C ? peer + [2] : [])
                }
        }
        try await withAdapter(script) { adapter, kernel, _ in
            let device = try address("F0:0D:00:00:00:01")
            adapter.state.withLock { _ = $0.staleLinks.insert(device) }
            try await Self.open(adapter, "F0:0D:00:00:00:01")
            #expect(kernel.moments(of: 0x14) == [.zero])
            #expect(kernel.requests.first { $0.opcode == 0x14 }?.parameters == peer)
            #expect(kernel.moments(of: 0x35) == [wait])
        }
    }
}

@Suite struct `A failed connection` {
    @Test(
        arguments: [
            (EBUSY, .busy), (EALREADY, .busy), (ECONNREFUSED, .refused), (ETIMEDOUT, .refused),
            (ECONNRESET, .refused), (EHOSTDOWN, .refused), (ECONNABORTED, .refused),
            (EHOSTUNREACH, .adapterDown), (ENODEV, .adapterDown), (ENETDOWN, .adapterDown),
            (EMLINK, .tooManyLinks), (EINVAL, .system("connect", EINVAL)),
        ] as [(Int32, ConnectFailure)])
    func `has an error of its kind`(_ code: Int32, _ failure: ConnectFailure) {
        #expect(ConnectFailure(code) == failure)
    }

    @Test func `is retried only if that may help`() {
        #expect(ConnectFailure.busy.deservesRetry)
        #expect(ConnectFailure.refused.deservesRetry)
        #expect(!ConnectFailure.timedOut.deservesRetry)
        #expect(ConnectFailure.adapterDown.deservesRetry)
        #expect(!ConnectFailure.cancelled.deservesRetry)
        #expect(!ConnectFailure.tooManyLinks.deservesRetry)
    }
}
