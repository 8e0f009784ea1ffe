import Foundation
import Nordic
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .programs) struct `A run over a tray of Legacy beacons` {
    private static let package = Samples.root + "/firmware-samples/legacy/vector.zip"

    /// Beacons that are in their bootloaders when the link is lost, and a tray file for them.
    private static func tray(_ personality: String, _ more: String = "", attempts: Int = 1) throws -> Tray {
        let beacons = (0..<2).map {
            "  - {address: 'F0:00:00:00:03:0\(2 * $0)', kind: nordic-legacy, mode: application, softdevice: 0xB6, "
                + "personality: \(personality)\(more.replacing("NEXT", with: "F0:00:00:00:03:0\(2 * $0 + 1)"))}"
        }
        let tray = try Tray(beacons.joined(separator: "\n"), link: "{interval_ms: 15}")
        let slots = (0..<2).map { "  - {slot: A\($0 + 1), device: 'F0:00:00:00:03:0\(2 * $0)'}" }
        let file =
            "tray: 1\nfirmware: \(package)\nlimits: {attempts: \(attempts)}\nslots:\n"
            + slots.joined(separator: "\n")
            + "\n"
        _ = try tray.write(Array(file.utf8), as: "units.yaml")
        return tray
    }

    private static func run(
        _ tray: Tray, _ more: [String], signal: (number: Int32, event: String, count: Int)? = nil
    ) throws -> Program.Run {
        try Program.run(
            [
                "batch", tray.folder + "/units.yaml", "--adapter", tray.scenario, "--journal",
                tray.folder + "/journal.sqlite", "--json",
                // They do not report the version that they run.
                "--accept", "reappeared",
            ] + more, signal: signal)
    }

    private static func expectRight(_ tray: Tray) throws {
        let file = [UInt8](try Data(contentsOf: URL(filePath: package)))
        let image = try #require(try LegacyPackage(parsing: file).parts.last).image
        for address in ["F0:00:00:00:03:00", "F0:00:00:00:03:02"] {
            #expect(try tray.flash(address).starts(with: image), "\(address)")
        }
    }

    @Test(arguments: ["sdk-7", "sdk-11", "adafruit"])
    func `resumes after it was killed in the middle of their images`(_ personality: String) throws {
        let tray = try Self.tray(personality)
        let cut = try Self.run(tray, ["--no-golden"], signal: (SIGKILL, "progress", 4))
        #expect(cut.status == 128 + SIGKILL)
        let rest = try Self.run(tray, ["--resume"])
        #expect(rest.status == 0, "\(rest.output)\(rest.talk)")
        try Self.expectRight(tray)
    }

    @Test(arguments: ["sdk-11", "adafruit"])
    func `retries units that have lost their link for good`(_ personality: String) throws {
        let tray = try Self.tray(personality, ", faults: [{cut_after_packet: 60}]")
        let lost = try Self.run(tray, ["--no-golden", "--attempts", "1"])
        #expect(BatchBench.outcomes(lost) == ["A1": "failed", "A2": "failed"], "\(lost.output)\(lost.talk)")
        let again = try Self.run(tray, ["--retry-failed"])
        #expect(again.status == 0, "\(again.output)\(again.talk)")
        try Self.expectRight(tray)
    }

    /// Bootloaders that report no version are at their applications' addresses, except for some that were changed.
    /// Units that their application sent there are known.
    @Test func `retries units whose bootloaders do not identify themselves`() throws {
        let tray = try Self.tray(
            "sdk-5.2", ", bootloader_address: NEXT, faults: [{cut_after_packet: 30}]", attempts: 2)
        let run = try Self.run(tray, ["--no-golden", "--attempts", "1"])
        #expect(BatchBench.outcomes(run) == ["A1": "passed", "A2": "passed"], "\(run.output)\(run.talk)")
        let ended = run.events.filter { $0["event"] as? String == "attempted" }
        #expect(
            ended.compactMap { $0["outcome"] as? String }.sorted() == [
                "failed", "failed", "passed", "passed",
            ])
        try Self.expectRight(tray)
    }
}
