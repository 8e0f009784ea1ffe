import Bluetooth
import Bytes
import Logging
import Simulation
import Synchronization
import TestSupport

@testable import BlueZ

/// A command as the kernel received it.
struct Request: Equatable, Sendable {
    let opcode: UInt16
    let index: UInt16
    let parameters: [UInt8]

    init?(_ packet: [UInt8]) {
        var reader = ByteReader(packet)
        guard let opcode: UInt16 = try? reader.integer("opcode"),
            let index: UInt16 = try? reader.integer("index"),
            let length: UInt16 = try? reader.integer("length"), Int(length) == reader.remaining
        else { return nil }
        self.opcode = opcode
        self.index = index
        parameters = Array(reader.remainder())
    }

    /// The answer for success.
    func complete(_ parameters: [UInt8] = []) -> [UInt8] {
        Packet.event(0x01, index, Packet.word(opcode) + [0] + parameters)
    }

    /// The answer for a refusal.
    func refused(_ status: UInt8) -> [UInt8] { Packet.event(0x02, index, Packet.word(opcode) + [status]) }
}

/// Packets of the kernel, composed by hand.
enum Packet {
    static func word(_ value: UInt16) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }

    static func event(_ code: UInt16, _ index: UInt16, _ parameters: [UInt8]) -> [UInt8] {
        word(code) + word(index) + word(UInt16(parameters.count)) + parameters
    }

    /// F0:0D:00:00:00:01, random, -60 dBm, connectable, flags 06.
    static let found = [UInt8](hex: "01000000 0DF0 02 C4 00000000 0300 020106")
    /// A device was heard on hci0.
    static let deviceFound = event(0x12, 0, found)
    static let indexRemoved = event(0x05, 0, [])

    /// The result of Read Controller Information.
    static func information(
        settings: UInt32 = 0x0000_0201, supported: UInt32 = 0x0000_FEFF, address: String = "665544332211"
    ) -> [UInt8] {
        var writer = ByteWriter([UInt8](hex: address + " 09 0200"))
        writer.integer(supported)
        writer.integer(settings)
        writer.append([0, 0, 0])
        writer.append(Array("bench".utf8) + [UInt8](repeating: 0, count: 249 - 5 + 11))
        return writer.bytes
    }
}

/// A kernel at the other end of a management socket, which answers as its script defines.
final class ScriptedKernel: Sendable {
    /// The packets with which it answers a command.
    typealias Script = @Sendable (Request) -> [[UInt8]]

    private let socket: PacketSocket
    private let time: VirtualTime
    private let seen = Mutex<[(moment: Duration, request: Request)]>([])

    init(_ socket: PacketSocket, _ time: VirtualTime) {
        self.socket = socket
        self.time = time
    }

    /// The commands so far.
    var requests: [Request] { seen.withLock { $0.map(\.request) } }
    /// Their opcodes.
    var opcodes: [UInt16] { requests.map(\.opcode) }
    /// When commands with `opcode` arrived.
    func moments(of opcode: UInt16) -> [Duration] {
        seen.withLock { $0.filter { $0.request.opcode == opcode }.map(\.moment) }
    }

    func say(_ packet: [UInt8]) async throws { try await socket.send(packet) }
    func hangUp() { socket.close() }

    func serve(_ script: Script) async {
        while let packet = try? await socket.receive() {
            guard let request = Request(packet) else { continue }
            seen.withLock { $0.append((time.now, request)) }
            for answer in script(request) { try? await socket.send(answer) }
        }
    }

    /// Accepts every command.
    static let obedient: Script = { [$0.complete()] }
    /// Never answers.
    static let mute: Script = { _ in [] }
    /// Has one controller, hci0, and answers `refusals` by opcode.
    static func controller(
        settings: UInt32 = 0x0000_0201, refusing refusals: [UInt16: UInt8] = [:]
    ) -> Script {
        { request in
            if let status = refusals[request.opcode] { return [request.refused(status)] }
            return switch request.opcode {
            case 0x0003: [request.complete([1, 0, 0, 0])]
            case 0x0004: [request.complete(Packet.information(settings: settings))]
            default: [request.complete()]
            }
        }
    }
}

/// Runs `body` with a management channel to a scripted kernel.
func withChannel(
    _ script: @escaping ScriptedKernel.Script = ScriptedKernel.obedient,
    _ body: @escaping @Sendable (ManagementChannel, ScriptedKernel, VirtualTime) async throws -> Void
) async throws {
    try await VirtualTime.run { time in
        let (near, far) = try PacketSocket.pair(readiness: time)
        let kernel = ScriptedKernel(far, time)
        let channel = ManagementChannel(bearer: near, time: time.clock)
        async let _ = kernel.serve(script)
        async let _ = channel.run()
        try await body(channel, kernel, time)
    }
}

/// Runs `body` with an adapter of a scripted kernel, for at most `limit`; `after` inspects the kernel when the scope
/// has ended.
func withAdapter(
    _ script: @escaping ScriptedKernel.Script = ScriptedKernel.controller(), name: String? = nil,
    poweringOn: Bool = false, coded: Bool = false, within limit: Duration = .seconds(3600),
    controller: (@Sendable (VirtualTime) throws -> KernelAdapter.HCIOpening)? = nil,
    connecting: (@Sendable (VirtualTime) -> KernelAdapter.Connecting)? = nil,
    _ body: @escaping @Sendable (KernelAdapter, ScriptedKernel, VirtualTime) async throws -> Void,
    after: @escaping @Sendable (ScriptedKernel) -> Void = { _ in }
) async throws {
    try await VirtualTime.run { time in
        let (near, far) = try PacketSocket.pair(readiness: time)
        let kernel = ScriptedKernel(far, time)
        async let served: Void = kernel.serve(script)
        let opening: KernelAdapter.HCIOpening = try controller?(time) ?? { @Sendable _ in nil }
        let result: Result<Void?, any Error>
        do {
            let ended: Void? = try await time.clock.within(limit) {
                try await KernelAdapter.withAdapter(
                    name.flatMap { ControllerName($0) }, over: near,
                    in: KernelAdapter.Environment(
                        time: time.clock, readiness: time,
                        log: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
                        poweringOn: poweringOn, coded: coded, executor: time, openHCISocket: opening,
                        connecting: connecting?(time))
                ) { try await body($0, kernel, time) }
            }
            result = .success(ended)
        } catch { result = .failure(error) }
        await served
        after(kernel)
        _ = try result.get()
    }
}

func address(_ text: String, _ kind: DeviceAddress.Kind = .random) throws -> DeviceAddress {
    struct Malformed: Error {}
    guard let address = DeviceAddress(text, kind) else { throw Malformed() }
    return address
}

/// A value that several tasks may change.
final class Shared<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }

    /// Returns the result of `body`, which may change the value.
    func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        value.withLock { value in
            var copy = value
            defer { value = copy }
            return body(&copy)
        }
    }
}
