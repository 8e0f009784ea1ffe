import Bytes
import Foundation
import TestSupport
import Testing

/// The data that the program passes to the kernel to write or send, captured by strace.
private enum Trace {
    /// Whether strace is installed, and may trace a program.
    static let isPossible: Bool = {
        (try? Tool.run(["strace", "-f", "-e", "trace=write", "true"]).status) == 0
    }()

    /// Runs the program; returns everything that it and its threads write and send, and the names of opened files, one
    /// call a line, with the exit status and the output.
    static func run(_ arguments: [String]) throws -> (calls: String, run: Tool.Run) {
        try Tool.inFolder { folder in
            let path = "\(folder)/calls"
            let calls =
                "write,pwrite64,writev,pwritev,pwritev2,sendto,sendmsg,sendmmsg,openat,execve,rename,linkat"
            let run = try Tool.run(
                ["strace", "-f", "-s", "100000", "-e", "trace=\(calls)", "-o", path, Program.path] + arguments
            )
            return (String(decoding: try Samples.file(at: path), as: UTF8.self), run)
        }
    }
}

@Suite(
    .timeLimit(.minutes(10)), .programs,
    .enabled(
        if: Trace.isPossible, "there is no strace here that may look at programs: apt-get install strace")
) struct `The password of a KBeacon` {
    private static let password = KBeaconBench.password
    /// The password itself, and the forms in which it might be written.
    private static let forms: [String] = {
        let bytes = Array(password.utf8)
        let hex = HexText.encode(bytes)
        return [
            password, hex, hex.uppercased(), Data(bytes).base64EncodedString(),
            String(password.reversed()), bytes.map { "\\x" + HexText.encode([$0]) }.joined(),
            bytes.map { "\($0)" }.joined(separator: ", "),
        ]
    }()

    @Test(arguments: [
        ["info"], ["flash", Samples.root + "/firmware-samples/nordic/blinker-1.1.0.zip"],
        ["history-read", "--out", "-", "--kind", "alarm"], ["blink", "--for", "0.2"], ["config", "read"],
    ]) func `is in nothing that the program writes, sends, or opens`(command: [String]) throws {
        let bench = try KBeaconBench(", history: [{kind: alarm, count: 1}]")
        let secrets = bench.secrets
        let folder = bench.tray.folder
        // The saved state of a simulated beacon is its own memory, which includes its password.
        let text = try String(contentsOfFile: folder + "/tray.yaml", encoding: .utf8)
        let scenario = try bench.tray.write(
            Array(text.replacing("state: memory\n", with: "").utf8), as: "forgetful.yaml")
        let (calls, run) = try Trace.run(
            command + [
                "--device", KBeaconBench.second, "--secrets", secrets, "--adapter", "sim:" + scenario,
                "--log-level", "trace", "--capture", folder + "/air.btsnoop",
            ])
        #expect(run.status == 0, "\(run.talk)")
        let lines = calls.split(separator: "\n")
        // The trace shows what was written, sent and opened, down to the handshake over the simulated air.
        #expect(lines.contains { $0.contains("openat(") && $0.contains(secrets) })
        #expect(lines.contains { $0.contains("write(") && $0.contains("capture-has-proof") })
        #expect(lines.contains { $0.contains("send") && $0.contains("getPara") })
        for form in Self.forms {
            #expect(!lines.contains { $0.contains(form) }, "as \(form)")
        }
        withExtendedLifetime(bench) {}
    }

    /// A Feasycom beacon receives its PIN as plain text: it is visible over the air, and in a recording.
    @Test func `and a PIN are in nothing that a tray's run writes or opens`() throws {
        let bench = try KBeaconBench()
        let scenario = try bench.tray.write(
            Array(
                """
                beacons:
                  - {kind: fbeacon, address: 'DC:0D:30:00:00:10', model: 21, pin: '407152', flash: instant}
                  - {kind: kbeacon, address: 'DD:34:02:06:00:00', key: test, flash: instant, application_version: 1,
                     session: {password: \(Self.password)}}
                """.utf8), as: "air.yaml")
        let folder = bench.tray.folder
        let container = folder + "/open.fbu"
        let built = try Program.run([
            "build", "fbeacon", Samples.root + "/firmware-samples/hex/application.hex", container, "--model",
            "BP102", "--version-start", "800", "--version-end", "831",
        ])
        #expect(built.status == 0, "\(built.talk)")
        let units = try bench.tray.write(
            Array(
                """
                tray: 1
                slots:
                  - {slot: F1, device: 'DC:0D:30:00:00:10', firmware: \(container)}
                  - {slot: K1, device: 'DD:34:02:06:00:00', firmware: \(BatchBench.package)}
                """.utf8), as: "units.yaml")
        let secrets = folder + "/both.yaml"
        let isWritten = FileManager.default.createFile(
            atPath: secrets,
            contents: Data("secrets: 1\nvendors: {feasycom: '407152', kkm: \(Self.password)}\n".utf8),
            attributes: [.posixPermissions: 0o600])
        #expect(isWritten)
        let (calls, run) = try Trace.run([
            "batch", units, "--adapter", "sim:" + scenario, "--journal", folder + "/journal.sqlite",
            "--secrets", secrets, "--no-golden", "--accept", "reappeared", "--report",
            folder + "/report.html",
            "--log-file", folder + "/run.log", "--log-level", "trace",
        ])
        #expect(run.status == 0, "\(run.talk)")
        let lines = calls.split(separator: "\n").filter { !$0.contains("send") }
        #expect(calls.contains("AT+PIN=407152"))
        #expect(lines.contains { $0.contains("write") && $0.contains("journal") || $0.contains("pwrite64(") })
        for form in Self.forms + ["407152", HexText.encode(Array("407152".utf8))] {
            #expect(!lines.contains { $0.contains(form) }, "as \(form)")
        }
        withExtendedLifetime(bench) {}
    }
}
