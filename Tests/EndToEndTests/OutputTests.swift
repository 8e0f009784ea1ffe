import Foundation
import TestSupport
import Testing

private let package = Samples.root + "/firmware-samples/nordic/blinker-1.1.0.zip"

@Suite(.timeLimit(.minutes(10)), .programs) struct `The program whose output is not read` {
    /// A run that writes into a pipe which is full from the beginning.
    static func stuckFlash(_ tray: Tray, talk: Bool) throws -> (Process, Pipe) {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        while write(descriptor, [0x0A], 1) == 1 {}
        _ = fcntl(descriptor, F_SETFL, 0)
        let process = Process()
        process.executableURL = URL(filePath: Program.path)
        process.arguments =
            [
                "flash", package, "--adapter", tray.scenario, "--device", "F0:00:00:00:00:01",
                "--capture", tray.folder + "/capture.btsnoop",
            ] + (talk ? ["--log-level", "trace"] : ["--json"])
        process.standardOutput = talk ? FileHandle.nullDevice : pipe
        process.standardError = talk ? pipe : FileHandle.nullDevice
        try process.run()
        return (process, pipe)
    }

    /// Whether the whole image is sent; false once nothing was captured for `seconds`.
    static func isSent(_ tray: Tray, within seconds: Int32) -> Bool {
        let capture = tray.folder + "/capture.btsnoop"
        let watch = inotify_init1(Int32(IN_CLOEXEC))
        guard watch >= 0 else { return false }
        defer { close(watch) }
        guard inotify_add_watch(watch, tray.folder, UInt32(IN_CREATE | IN_MODIFY)) >= 0 else { return false }
        var events = [UInt8](repeating: 0, count: 4096)
        while true {
            let size = try? FileManager.default.attributesOfItem(atPath: capture)[.size]
            if size as? Int ?? 0 > 31_000 { return true }
            var wait = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, seconds * 1000) == 1, read(watch, &events, events.count) > 0 else {
                return false
            }
        }
    }

    @Test(arguments: [false, true]) func `continues, and prints everything at the end`(_ talk: Bool) throws {
        let tray = try Tray(`The program flashing a simulated beacon`.signed)
        let (process, pipe) = try Self.stuckFlash(tray, talk: talk)
        #expect(Self.isSent(tray, within: 60))
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(output.contains(talk ? "waiting for the application" : #""event":"finished""#))
        #expect(talk || output.split(separator: "\n").last?.contains("finished") == true)
    }

    @Test func `prints the same objects over several lines with --pretty`() throws {
        let plain = try Program.run(["inspect", package, "--json"])
        let pretty = try Program.run(["inspect", package, "--json", "--pretty"])
        #expect(pretty.status == 0 && pretty.output.hasPrefix("{\n    \""), "\(pretty.output)\(pretty.talk)")
        let object = try JSONSerialization.jsonObject(with: Data(pretty.output.utf8))
        #expect(try #require(object as? NSDictionary) == plain.last as NSDictionary)
        #expect(try Program.run(["inspect", package, "--pretty"]).status == 64)
    }

    @Test func `ends at the first Ctrl-C`() throws {
        let tray = try Tray(`The program flashing a simulated beacon`.signed)
        let (process, pipe) = try Self.stuckFlash(tray, talk: false)
        #expect(Self.isSent(tray, within: 60))
        process.interrupt()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 130)
        try pipe.fileHandleForReading.close()
    }

    @Test func `does not wait for the reader of a log`() throws {
        let tray = try Tray(`The program flashing a simulated beacon`.signed)
        let pipe = tray.folder + "/log"
        #expect(mkfifo(pipe, 0o600) == 0)
        let run = try tray.flash(package, "F0:00:00:00:00:01", ["--log-file", pipe])
        #expect(run.status != 0 && run.talk.contains("a pipe without a reader"), "\(run.talk)")
    }
}

@Suite(.timeLimit(.minutes(10)), .programs) struct `The program whose output cannot be written` {
    static func shell(_ command: String) throws -> Tool.Run {
        try Tool.run(["sh", "-c", command.replacing("$B", with: "'\(Program.path)'")])
    }

    @Test(arguments: ["--version", "--help", "explain link-lost"]) func `exits 66`(_ words: String) throws {
        let run = try Self.shell("$B \(words) >/dev/full")
        #expect(run.status == 66 && run.talk.contains("output-failed"), "\(run.talk)")
    }

    @Test(arguments: ["", "--json"]) func `reports once that the log ends early`(_ more: String) throws {
        let tray = try Tray(`The program flashing a simulated beacon`.signed)
        let run = try Self.shell(
            "$B flash '\(package)' --adapter '\(tray.scenario)' --device F0:00:00:00:00:01 --log-file /dev/full "
                + "--log-level trace \(more)")
        #expect(run.status == 0, "\(run.talk)")
        let warnings = run.talk.split(separator: "\n").filter { $0.contains("log-cut-short") }
        #expect(warnings == ["warning log-cut-short: /dev/full is cut short: No space left on device"])
    }

    @Test func `reports that the update is done all the same`() throws {
        let tray = try Tray(`The program flashing a simulated beacon`.signed)
        let run = try Self.shell(
            "$B flash '\(package)' --adapter '\(tray.scenario)' --device F0:00:00:00:00:01 >/dev/full")
        #expect(run.status == 66)
        #expect(
            run.talk.contains("the update is done and verified, only the report of it is lost"),
            "\(run.talk)")
    }

    @Test(arguments: [(">&-", false), ("<&- >&-", false), ("2>&-", true), ("<&- >&- 2>&-", false)])
    func `tolerates a closed descriptor`(_ closed: String, _ isTold: Bool) throws {
        let tray = try Tray(`The program flashing a simulated beacon`.signed)
        let run = try Self.shell(
            "$B flash '\(package)' --adapter '\(tray.scenario)' --device F0:00:00:00:00:01 --json \(closed)")
        #expect(run.status == 0, "\(run.talk)")
        #expect(run.text.contains("finished") == isTold)
    }
}

@Suite(.timeLimit(.minutes(10)), .programs) struct `Names from the air` {
    static let beacon = #"  - {address: 'F0:00:00:00:00:00', name: "A\e[8m\u202E\x9B", mode: application}"#

    @Test(arguments: ["never", "always"]) func `never reach a terminal unescaped`(_ colour: String) throws {
        let tray = try Tray(Self.beacon)
        let run = try Program.run(
            ["scan", "--adapter", tray.scenario, "--for", "2", "--color", colour])
        #expect(run.output.contains(#"A\u{1b}[8m\u{202e}\u{9b}"#), "\(run.output)")
        #expect(!run.output.unicodeScalars.contains { ["\u{1B}", "\u{202E}", "\u{9B}"].contains($0) })
    }

    @Test func `keep their value in JSON`() throws {
        let tray = try Tray(Self.beacon)
        let run = try Program.run(["scan", "--adapter", tray.scenario, "--for", "2", "--json"])
        #expect(run.first("beacon")?["name"] as? String == "A\u{1B}[8m\u{202E}\u{9B}")
        #expect(run.output.unicodeScalars.allSatisfy { $0 == "\n" || (0x20..<0x7F).contains($0.value) })
    }
}
