import Foundation
import TestSupport
import Testing

private let package = Samples.root + "/firmware-samples/nordic/blinker-1.1.0.zip"

/// A run of the program that continues while something else is tried.
final class LongRun {
    private let process = Process()
    private let output = Pipe()

    init(_ arguments: [String]) throws {
        process.executableURL = URL(filePath: Program.path)
        process.arguments = arguments
        process.environment = ["XDG_STATE_HOME": "/dev/null"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
    }

    var number: Int32 { process.processIdentifier }

    /// Waits until `words` have been printed; false if the program ended before.
    func says(_ words: String) -> Bool {
        var text = ""
        while true {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { return false }
            text += String(decoding: more, as: UTF8.self)
            if text.contains(words) { return true }
        }
    }

    func kill() {
        Foundation.kill(number, SIGKILL)
        process.waitUntilExit()
    }

    deinit { if process.isRunning { kill() } }
}

/// Simulated beacons with a state folder are the same for every program that uses the folder.
@Suite(.timeLimit(.minutes(10)), .programs) struct `A second program at the same beacon` {
    /// A bootloader that takes half a minute for an image.
    static let slow =
        "  - {address: 'F0:00:00:00:00:00', name: One, key: test, personality: sdk-15.3}"
    static let application =
        "  - {address: 'F0:00:00:00:00:00', name: One, key: test, mode: application}"

    private static func flash(_ tray: Tray, _ device: String) throws -> LongRun {
        try LongRun(["flash", package, "--adapter", tray.scenario, "--device", device, "--json"])
    }

    @Test(arguments: [["flash", package], ["info"]])
    func `ends at once, and names the first`(_ command: [String]) throws {
        let tray = try Tray(Self.slow, link: "{interval_ms: 100, event_ms: 10}")
        let first = try Self.flash(tray, "F0:00:00:00:00:01")
        #expect(first.says("\"event\":\"connected\""))
        let second = try Program.run(
            command + ["--adapter", tray.scenario, "--device", "F0:00:00:00:00:01", "--json"])
        #expect(second.status == 75, "\(second.talk)")
        #expect(second.last["code"] as? String == "beacon-in-use")
        #expect((second.last["message"] as? String)?.contains("(process \(first.number))") == true)
        first.kill()
        // The killed program has left nothing.
        let third = try tray.flash(package, "F0:00:00:00:00:01")
        #expect(third.status == 0, "\(third.talk)")
    }

    /// The bootloader of the unit that the first has sent there.
    @Test func `ends at once by the bootloader's address too`() throws {
        let tray = try Tray(Self.application, link: "{interval_ms: 100, event_ms: 10}")
        let first = try Self.flash(tray, "F0:00:00:00:00:00")
        #expect(first.says("\"name\":\"transferring\""))
        let second = try tray.flash(package, "F0:00:00:00:00:01", ["--scan-for", "0.5"])
        #expect(second.last["code"] as? String == "beacon-in-use", "\(second.talk)")
        first.kill()
    }

    @Test func `can use another beacon`() throws {
        let tray = try Tray(
            Self.slow + "\n"
                + "  - {address: 'F0:00:00:00:00:10', name: Two, key: test, flash: instant}",
            link: "{interval_ms: 20, event_ms: 10}")
        let first = try Self.flash(tray, "F0:00:00:00:00:01")
        #expect(first.says("\"event\":\"connected\""))
        let second = try tray.flash(package, "F0:00:00:00:00:11")
        #expect(second.status == 0, "\(second.talk)")
        first.kill()
    }
}
