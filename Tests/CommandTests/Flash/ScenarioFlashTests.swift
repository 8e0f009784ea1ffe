import Bluetooth
import Firmware
import Simulation
import TestSupport
import Testing
import UpdateModel

@testable import CommandKit

/// A fault that a scenario file can declare, and the resulting outcome of an update.
struct TroubledFlash: Sendable, CustomTestStringConvertible {
    let name: String
    /// The keys of the beacon's entry.
    let keys: String
    var package = "nordic/blinker-1.1.0.zip"
    /// Lines before the beacons.
    var air = "link: {interval_ms: 15}"
    /// The code of the error; nil on success.
    var code: String?
    /// Whether something has to be sent or requested again.
    var repeats = false
    /// The name of the adapter at the end.
    var adapter = "sim0"

    var testDescription: String { name }

    private static let secure = "mode: application, key: test, softdevice: 0x98"
    private static let old = "kind: nordic-legacy, mode: application"
    private static let generation = "legacy/generation-05.zip"
    private static let adafruit =
        "\(old), personality: adafruit, softdevice: 0xB6, device_type: 82, device_revision: 52840"
    private static let replugged = "link: {interval_ms: 15}\nadapters: [{name: a, unplugged_s: [2, 5], "

    private static func losses(_ mtu: Int) -> [TroubledFlash] {
        let attributeFault = mtu == 247 ? "" : "answer_mtu: \(mtu)}, {"
        return [
            TroubledFlash(
                name: "A burst of losses at one byte, MTU \(mtu)",
                keys: "\(secure), faults: [{\(attributeFault)lose_burst_at_byte: 9000}]", repeats: true),
            TroubledFlash(
                name: "Losses of what comes too quickly, MTU \(mtu)",
                keys: "\(secure), faults: [{\(attributeFault)lose_packets_within_us: 5000}]", repeats: true),
            TroubledFlash(
                name: "Two packets of a hundred lost, MTU \(mtu)",
                keys: "\(secure), faults: [{\(attributeFault)lose_packets_percent: 2}]", repeats: true),
        ]
    }

    static let all: [TroubledFlash] =
        [27, 64, 100, 131, 247].flatMap(losses) + [
            TroubledFlash(
                name: "An answer lost", keys: "\(secure), faults: [{lose_answer: 6}]", repeats: true),
            TroubledFlash(
                name: "A new application that does not start",
                keys: "\(secure), faults: [{dead_application: 1}]",
                code: "did-not-reappear"),
            TroubledFlash(
                name: "A new Legacy application that does not start",
                keys: "\(old), faults: [{dead_application: 1}]", package: generation, code: "did-not-reappear"
            ),
            TroubledFlash(
                name: "An application that runs on after the entry",
                keys: "\(secure), faults: [{ignore_entry: 1}]"),
            TroubledFlash(
                name: "A Legacy application that runs on after the entry",
                keys: "\(old), faults: [{ignore_entry: 1}]", package: generation),
            TroubledFlash(
                name: "A Legacy application that never gives way",
                keys: "\(old), faults: [{ignore_entry: 1}, {ignore_entry: 2}, {ignore_entry: 3}]",
                package: generation, code: "bootloader-not-entered"),
            TroubledFlash(
                name: "A Legacy bootloader for an application with Secure DFU's way out",
                keys: "\(adafruit), buttonless: sdk-14", package: "legacy/adafruit.zip"),
            TroubledFlash(
                name: "The same with bonds", keys: "\(adafruit), buttonless: sdk-14-bonded",
                package: "legacy/adafruit.zip"),
            TroubledFlash(
                name: "The same of SDK 13", keys: "\(adafruit), buttonless: sdk-13",
                package: "legacy/adafruit.zip"),
            TroubledFlash(
                name: "An adapter that comes back under another name", keys: secure,
                air: "\(replugged)returns_as: b}]", adapter: "b"),
            TroubledFlash(
                name: "An adapter that another one has replaced", keys: secure,
                air: "\(replugged)replaced: true}]", code: "no-adapter", adapter: "a"),
        ]
}

@Suite(.timeLimit(.minutes(10))) struct `A flash of a scenario's beacon` {
    private static let address = "F0:0D:BE:AC:7A:00"

    @Test(arguments: TroubledFlash.all) func `ends as the faults of the file imply`(
        _ row: TroubledFlash
    )
        async throws
    {
        let kind = InterruptedKind(name: row.name, keys: row.keys, package: row.package)
        let flash = OneFlash(
            job: try InterruptedKind.job(kind), selector: try #require(DeviceSelector(argument: Self.address))
        )
        let text = "\(row.air)\nbeacons: [{address: '\(Self.address)', \(row.keys)}]\n"
        let scenario = try Scenario(parsing: Array(text.utf8), path: "air.yaml")
        let (run, adapter) = try await VirtualTime.run { time in
            try await scenario.play(time: time.clock, readiness: time) { adapter in
                (await flash.run(with: adapter), adapter.name)
            }
        }
        #expect(run.failure?.code.rawValue == row.code, "\(run.failure.map { "\($0.message)" } ?? "done")")
        #expect(adapter == row.adapter)
        if row.repeats { #expect(run.events.contains { $0.hasPrefix("retry") }) }
    }
}
