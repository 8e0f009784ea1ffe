import Bluetooth
import Foundation
import Logging
import Simulation
import Testing

@testable import BlueZ

private let lowEnergy: UInt32 = 0x200

/// The record that is written while a controller differs from its original state.
@Suite(.timeLimit(.minutes(10))) struct `A controller that is switched on for a run` {
    /// Runs `body` with an adapter that keeps records in `folder`; returns what it logged.
    private static func run(
        in folder: String, settings: UInt32, locks: NamedLocks = .unshared(), poweringOn: Bool = true,
        refusing refusals: [UInt16: UInt8] = [:], seeing switches: Shared<[UInt16]> = Shared([]),
        _ body: @escaping @Sendable () async throws -> Void = {}
    ) async throws -> [String] {
        let lines = Shared<[String]>([])
        try await VirtualTime.run { time in
            let (near, far) = try PacketSocket.pair(readiness: time)
            let kernel = ScriptedKernel(far, time)
            async let served: Void = kernel.serve(
                ScriptedKernel.controller(settings: settings, refusing: refusals))
            let log = Logger(label: "test") { _ in LineHandler(lines: lines) }
            do {
                try await KernelAdapter.withAdapter(
                    nil, over: near,
                    in: KernelAdapter.Environment(
                        time: time.clock, readiness: time, log: log, poweringOn: poweringOn, executor: time,
                        locks: locks, records: ControllerRecords(folder: folder))
                ) { _ in try await body() }
            } catch is AdapterError { lines.change { $0.append("refused") } }
            await served
            switches.change {
                $0 = kernel.requests.filter { $0.opcode == 5 }.map { UInt16($0.parameters[0]) }
            }
        }
        return lines.change { $0 }
    }

    private static func folder() throws -> String {
        let path = FileManager.default.temporaryDirectory.path + "/records-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    @Test func `has a record until it is switched off again`() async throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let lines = try await Self.run(in: folder, settings: lowEnergy) {
            let text = try String(contentsOfFile: folder + "/beacon-dfu-11:22:33:44:55:66", encoding: .utf8)
            #expect(text == "00000200 -\n")
        }
        #expect(lines.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    @Test func `and left so by a kill is reported once`() async throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        ControllerRecords(folder: folder).keep(
            ControllerRecord(settings: [.lowEnergy]), of: "11:22:33:44:55:66")
        let lines = try await Self.run(in: folder, settings: 0x201)
        #expect(lines.count == 1 && lines[0].contains("a run that was killed has left hci0 switched on"))
        #expect(try await Self.run(in: folder, settings: 0x201).isEmpty)
    }

    private static let leftOff = ControllerRecord(settings: [.powered, .lowEnergy], isExclusive: true)
    private static let off = "a run that was killed has left hci0 switched off, which it was not before"

    /// A run that had it exclusively.
    @Test func `and left off by a kill has a record until it is on again`() async throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let records = ControllerRecords(folder: folder)
        records.keep(Self.leftOff, of: "11:22:33:44:55:66")
        for _ in 0..<2 {
            let lines = try await Self.run(in: folder, settings: lowEnergy, poweringOn: false)
            #expect(lines == [Self.off, "refused"])
        }
        // Blocked by a radio switch.
        #expect(
            try await Self.run(in: folder, settings: lowEnergy, refusing: [0x05: 0x12])
                == [Self.off, "refused"])
        #expect(records.record(of: "11:22:33:44:55:66") == Self.leftOff)
        #expect(try await Self.run(in: folder, settings: 0x201).isEmpty)
        #expect(records.record(of: "11:22:33:44:55:66") == nil)
    }

    @Test func `and left off by a kill is on afterwards`() async throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let records = ControllerRecords(folder: folder)
        records.keep(Self.leftOff, of: "11:22:33:44:55:66")
        let switches = Shared<[UInt16]>([])
        let lines = try await Self.run(in: folder, settings: lowEnergy, seeing: switches) {
            #expect(records.record(of: "11:22:33:44:55:66") == nil)
        }
        #expect(lines == [Self.off])
        #expect(switches.change { $0 } == [1])
        #expect(records.record(of: "11:22:33:44:55:66") == nil)
    }

    @Test func `and left at another address by a kill is reported, too`() throws {
        let record = ControllerRecord(settings: [.powered, .lowEnergy, .classic], isMoved: true)
        #expect(
            record.leftovers(on: "hci0", isPowered: true)
                == "a run that was killed has left hci0 with a random static address and without BR/EDR")
    }

    @Test(arguments: [
        "00112233445566778899aabbccddeeff\n", "-----BEGIN PRIVATE KEY-----\n", "notes of mine\n", "00000201",
    ])
    func `has no record if another file is at its path`(_ text: String) throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (path, victim) = (folder + "/beacon-dfu-hci0", folder + "/victim")
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        let records = ControllerRecords(folder: folder)
        records.keep(ControllerRecord(settings: [.lowEnergy]), of: "hci0")
        records.remove("hci0")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        // Nor through a symbolic link.
        try FileManager.default.removeItem(atPath: path)
        try "".write(toFile: victim, atomically: false, encoding: .utf8)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: victim)
        records.keep(ControllerRecord(settings: [.lowEnergy]), of: "hci0")
        records.remove("hci0")
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == victim)
    }

    @Test func `by a run that is still under way is not reported`() async throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let locks = NamedLocks.unshared()
        let share = try NamedLocks(prefix: locks.prefix).share(in: "changed/11:22:33:44:55:66")
        ControllerRecords(folder: folder).keep(
            ControllerRecord(settings: [.lowEnergy]), of: "11:22:33:44:55:66")
        let lines = try await Self.run(in: folder, settings: 0x201, locks: locks)
        #expect(lines.isEmpty)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder) == ["beacon-dfu-11:22:33:44:55:66"])
        withExtendedLifetime(share) {}
    }
}

/// Collects the log messages.
struct LineHandler: LogHandler {
    let lines: Shared<[String]>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.warning

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.change { $0.append("\(event.message)") } }
}
