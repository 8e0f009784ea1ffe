import Foundation
import TestSupport
import Testing

private let package = Samples.root + "/firmware-samples/nordic/blinker-1.1.0.zip"

@Suite(.timeLimit(.minutes(10)), .programs) struct `A simulated adapter` {
    @Test func `is used by the doctor if the environment names it`() throws {
        let run = try Program.run(["doctor"], environment: ["BEACON_DFU_ADAPTER": "sim"])
        #expect(run.status == 0, "\(run.talk)")
        #expect(run.output.contains("simulated beacons need nothing"))
    }

    @Test func `fails the doctor if its scenario cannot be read`() throws {
        let run = try Program.run(["doctor", "--adapter", "sim:/none/such.yaml", "--json"])
        #expect(run.status == 66)
        #expect(run.last["code"] as? String == "file-not-found")
    }

    @Test(arguments: ["doctor", "scan"]) func `has a scenario with a name`(_ command: String) throws {
        #expect(try Program.run([command, "--adapter", "sim:"]).status == 64)
    }

    @Test func `is reported as simulated if only the environment names it`() throws {
        let arguments = ["flash", package, "--device", "F0:0D:BE:AC:01:01", "--dry-run", "--json"]
        let run = try Program.run(arguments, environment: ["BEACON_DFU_ADAPTER": "sim"])
        #expect(run.first("started")?["simulated"] as? Bool == true)
        #expect(run.last["simulated"] as? Bool == true)
        let tray = try Tray("  - {address: 'F0:00:00:00:00:00', name: One, key: test, flash: instant}")
        let words = try Program.run(
            ["flash", package, "--device", "F0:00:00:00:00:01"],
            environment: ["BEACON_DFU_ADAPTER": tray.scenario])
        #expect(words.output.contains("simulated: "), "\(words.output)")
    }
}

@Suite(.timeLimit(.minutes(10)), .programs) struct `A run without the kernel's radio` {
    /// Bits 12 and 13 of each set of each thread (proc(5)).
    @Test func `has neither of the Bluetooth capabilities in any thread`() throws {
        let tray = try Tray(
            `A second program at the same beacon`.slow, link: "{interval_ms: 100, event_ms: 10}")
        let run = try LongRun(
            ["flash", package, "--adapter", tray.scenario, "--device", "F0:00:00:00:00:01", "--json"])
        #expect(run.says("transferring"))
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(run.number)/task")
        #expect(threads.count > 1)
        for thread in threads {
            let status = try String(
                contentsOfFile: "/proc/\(run.number)/task/\(thread)/status", encoding: .utf8)
            for line in status.split(separator: "\n")
            where ["CapEff:", "CapPrm:", "CapInh:"].contains(where: line.hasPrefix) {
                let bits = try #require(UInt64(line.dropFirst(7).filter { !$0.isWhitespace }, radix: 16))
                #expect(bits & 0x3000 == 0, "\(line)")
            }
        }
        run.kill()
    }
}
