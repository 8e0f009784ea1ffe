import BlueZ
import Bluetooth
import Glibc
import Logging
import Nordic
import SeamContract

// Functions for the bench that no command of beacon-dfu has yet: credit-based channels, and the adapter contract.
// Results are lines of JSON.
//
//   kernel-bench-client echo ADAPTER ADDRESS PSM COUNT LENGTH   packets that come back, next to an attribute channel
//   kernel-bench-client send ADAPTER ADDRESS PSM COUNT LENGTH   packets one way, as fast as the link takes them
//   kernel-bench-client link ADAPTER ADDRESS                    the properties of a link once it was tuned
//   kernel-bench-client rare ADAPTER ADDRESS                    how long a link to a beacon takes that advertises rarely
//   kernel-bench-client updates ADAPTER ADDRESS… INIT IMAGE     updates at the same time; ends with the first two
//   kernel-bench-client listeners ADAPTER ADDRESS               the reports to one while another one stops
//   kernel-bench-client contract ADAPTER PEER PEER ABSENT [WORDS]  the contract of adapters; the facts with WORDS
//   kernel-bench-client crowd ADAPTER ADDRESS…                  links to all, which stay until all have one
//
// With exclusive:ADAPTER the last two take the adapter away from the kernel.
//
// Exit status: 0 done, 1 failed, 64 wrong arguments.

enum BenchFailure: Error {
    case usage
    case wrong(String)
}

struct Invocation {
    let command: String
    let adapter: ControllerName?
    let isExclusive: Bool
    let peer: DeviceAddress
    let psm: UInt16
    let count: Int
    let length: Int
    let crowd: [DeviceAddress]
    let contract: (peers: Peers, words: String)?
    let update: (units: [DeviceAddress], image: SecureImage)?

    init(_ words: [String]) throws(BenchFailure) {
        guard words.count >= 4, let peer = DeviceAddress(words[3]) else { throw .usage }
        command = words[1]
        isExclusive = words[2].hasPrefix("exclusive:")
        adapter = ControllerName(words[2].dropFirst(isExclusive ? "exclusive:".count : 0))
        self.peer = peer
        crowd = words.dropFirst(3).compactMap { DeviceAddress($0) }
        contract = try command == "contract" ? Self.contract(words) : nil
        update = try command == "updates" ? Self.update(words) : nil
        guard !["link", "rare", "contract", "crowd", "updates", "listeners"].contains(command) else {
            (psm, count, length) = (0, 0, 0)
            return
        }
        guard words.count == 7, let psm = UInt16(words[4]), let count = Int(words[5]),
            let length = Int(words[6]), count > 0, length > 0
        else { throw .usage }
        (self.psm, self.count, self.length) = (psm, count, length)
    }

    /// The version is that of the bench's package.
    private static func update(_ words: [String]) throws(BenchFailure) -> ([DeviceAddress], SecureImage) {
        let units = words.dropFirst(3).dropLast(2).compactMap { DeviceAddress($0) }
        guard units.count >= 2, units.count == words.count - 5,
            let command = bytes(of: words[words.count - 2]),
            let image = bytes(of: words[words.count - 1])
        else { throw .usage }
        return (
            units,
            SecureImage(
                initPacket: command, bytes: image, isSigned: true, firmwareVersion: 2, hardwareVersion: nil,
                softDevices: [])
        )
    }

    private static func bytes(of path: String) -> [UInt8]? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes.prefix(count))
    }

    /// "At once" has a generous limit: the guest is emulated.
    private static func contract(_ words: [String]) throws(BenchFailure) -> (Peers, String) {
        let addresses = words.dropFirst(3).prefix(3).compactMap { DeviceAddress($0) }
        guard addresses.count == 3 else { throw .usage }
        let peers = Peers(
            first: addresses[0], second: addresses[1], absent: addresses[2], longValue: Peers.revision,
            promptness: .seconds(1))
        return (peers, words.dropFirst(6).joined(separator: " "))
    }
}

func say(_ line: String) {
    print(line)
    fflush(nil)
}

func pattern(_ number: Int, _ length: Int) -> [UInt8] {
    (0..<length).map { UInt8(truncatingIfNeeded: number &* 31 &+ $0) }
}

extension KernelAdapter {
    func channel(_ invocation: Invocation) async throws -> KernelChannel {
        let channel = try await open(
            .creditBased(psm: invocation.psm), to: invocation.peer, asking: LinkRequest(),
            within: .seconds(10))
        say(#"{"event":"opened","maximum_packet":\#(channel.maximumPacket ?? 0)}"#)
        return channel
    }

    /// The attribute channel opens first, and both are closed; then another one is opened.
    func echo(_ invocation: Invocation) async throws {
        try await withLink(to: invocation.peer, within: .seconds(10)) { client, _ in
            try await client.exchangeMTU()
            let channel = try await self.channel(invocation)
            defer { channel.close() }
            for number in 0..<invocation.count {
                let packet = pattern(number, invocation.length)
                try await channel.send(packet)
                let back = try await time.within(.seconds(5)) { try await channel.receive() }
                guard case .some(.some(packet)) = back else {
                    throw BenchFailure.wrong("packet \(number) came back otherwise")
                }
            }
            say(#"{"event":"echoed","packets":\#(invocation.count)}"#)
        }
        try await withLink(to: invocation.peer, within: .seconds(10)) { client, _ in
            try await client.exchangeMTU()
            say(#"{"event":"connected","mtu":\#(await client.mtu)}"#)
        }
    }

    func send(_ invocation: Invocation) async throws {
        let channel = try await channel(invocation)
        defer { channel.close() }
        let begun = time.now
        for number in 0..<invocation.count { try await channel.send(pattern(number, invocation.length)) }
        // The last byte from the peer confirms that it has everything.
        guard try await time.within(.seconds(30), { try await channel.receive() }) != nil else {
            throw BenchFailure.wrong("the peer does not say that it has everything")
        }
        let bytes = invocation.count * invocation.length
        let speed = Double(bytes) / ((time.now - begun) / .seconds(1))
        say(#"{"event":"sent","bytes":\#(bytes),"bytes_per_second":\#(speed.rounded())}"#)
    }

    /// It is heard first, as before an update.
    func rare(_ invocation: Invocation) async throws {
        guard try await firstHeard(of: [invocation.peer], within: .seconds(30)) != nil else {
            throw BenchFailure.wrong("not heard")
        }
        let begun = time.now
        try await withLink(to: invocation.peer, within: .seconds(10)) { client, _ in
            let took = time.now - begun
            try await client.exchangeMTU()
            say(#"{"event":"linked","seconds":\#(took / .seconds(1))}"#)
        }
    }

    func link(_ invocation: Invocation) async throws {
        try await withLink(to: invocation.peer, within: .seconds(10)) { client, parameters in
            try await client.exchangeMTU()
            let link = await parameters()
            let interval = link.interval.map { "\($0 / .milliseconds(1))" } ?? "null"
            say(#"{"event":"link","interval_ms":\#(interval),"phy":"\#(link.phy?.rawValue ?? "unknown")"}"#)
        }
    }
}

extension Adapter {
    /// What every adapter can be asked for.
    func play(_ invocation: Invocation) async throws {
        switch invocation.command {
        case "contract":
            guard let (peers, words) = invocation.contract else { throw BenchFailure.usage }
            guard await keepsContract(with: peers, choosing: words) else {
                throw BenchFailure.wrong("the contract is not kept")
            }
        case "crowd": try await connect(toAll: invocation.crowd)
        default: throw BenchFailure.usage
        }
    }
}

do {
    let invocation = try Invocation(CommandLine.arguments)
    let log = Logger(label: "bench") { label in
        var handler = StreamLogHandler.standardError(label: label)
        handler.logLevel = .debug
        return handler
    }
    if invocation.isExclusive, let name = invocation.adapter {
        try await UserChannelAdapter.withAdapter(name, on: try EventLoop.shared.get(), log: log) { adapter in
            try await adapter.play(invocation)
        }
        exit(0)
    }
    try await KernelAdapter.withAdapter(
        invocation.adapter, poweringOn: false, on: try EventLoop.shared.get(), log: log
    ) { adapter in
        switch invocation.command {
        case "echo": try await adapter.echo(invocation)
        case "send": try await adapter.send(invocation)
        case "link": try await adapter.link(invocation)
        case "rare": try await adapter.rare(invocation)
        case "updates":
            guard let (units, image) = invocation.update else { throw BenchFailure.usage }
            try await Together(adapter: adapter, log: log).update(units, to: image)
        case "listeners": try await Together(adapter: adapter, log: log).listen(for: invocation.peer)
        default: try await adapter.play(invocation)
        }
    }
} catch BenchFailure.usage {
    say("usage: kernel-bench-client echo|send|link|rare|contract|crowd ADAPTER ADDRESS …")
    exit(64)
} catch {
    say("error: \(error)")
    exit(1)
}
