import Bytes
import Foundation
import TestSupport

/// Beacons that keep their state, a tray file for them, and a journal, in a folder of their own.
struct BatchBench {
    static let package = Samples.root + "/firmware-samples/nordic/blinker-1.1.0.zip"

    let air: Tray
    let count: Int

    /// `count` lamps running their applications, each with additional keys in its line of YAML.
    init(
        _ count: Int = 4, adapters: String = "", link: String = "{interval_ms: 2, event_ms: 2}",
        of unit: (Int) -> String = { _ in "" }
    ) throws {
        self.count = count
        let beacons = (0..<count).map {
            "  - {address: '\(Self.address($0))', name: Lamp \($0), mode: application, key: test, "
                + "flash: instant\(unit($0))}"
        }
        air = try Tray(beacons.joined(separator: "\n") + adapters, link: link)
        _ = try air.write(Array(Self.tray(count).utf8), as: "units.yaml")
    }

    static func address(_ index: Int) -> String {
        let digits = String(2 * index, radix: 16, uppercase: true)
        return "F0:00:00:00:02:" + (digits.count < 2 ? "0" : "") + digits
    }

    static func tray(_ count: Int, _ more: String = "") -> String {
        "tray: 1\nfirmware: \(package)\n\(more)slots:\n"
            + (0..<count).map { "  - {slot: A\($0 + 1), device: '\(address($0))/random'}" }
            .joined(separator: "\n") + "\n"
    }

    var file: String { air.folder + "/units.yaml" }
    var journal: String { air.folder + "/journal.sqlite" }

    func arguments(_ more: [String] = []) -> [String] {
        ["batch", file, "--adapter", air.scenario, "--journal", journal, "--json"] + more
    }

    func run(
        _ more: [String] = [], signal: (number: Int32, event: String, count: Int)? = nil
    ) throws -> Program.Run { try Program.run(arguments(more), signal: signal) }

    /// The outcome of each unit, by its slot.
    static func outcomes(_ run: Program.Run) -> [String: String] {
        var outcomes: [String: String] = [:]
        for event in run.events where ["finished", "failed"].contains(event["event"] as? String) {
            guard let slot = event["slot"] as? String else { continue }
            outcomes[slot] = event["outcome"] as? String
        }
        return outcomes
    }

    /// Whether the flash of the unit has the package's image as the running one.
    func isRight(_ index: Int) throws -> Bool {
        let zip = try ZipReader(try Samples.bytes("nordic/blinker-1.1.0.zip"))
        guard let image = zip.entries.first(where: { $0.name.hasSuffix(".bin") }) else { return false }
        return try air.flash(Self.address(index))
            .starts(with: zip.contents(of: image.name, atMost: 1 << 20))
    }
}
