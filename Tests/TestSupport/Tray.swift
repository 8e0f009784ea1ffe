import Foundation

/// A folder for one test, with a scenario in it.
package final class Tray {
    package let folder: String
    package var scenario: String { "sim:" + folder + "/tray.yaml" }

    /// A tray of the beacons in `yaml`, on a fast link, remembered between runs.
    package init(_ beacons: String, link: String = "{interval_ms: 2, event_ms: 2}") throws {
        folder = FileManager.default.temporaryDirectory.path + "/beacon-dfu-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let yaml = "link: \(link)\nstate: memory\nbeacons:\n\(beacons)\n"
        try Data(yaml.utf8).write(to: URL(filePath: folder + "/tray.yaml"))
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The flash content of the beacon whose application is at `address`, from the application's start.
    package func flash(_ address: String) throws -> [UInt8] {
        let name = address.filter { $0 != ":" }
        return [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/memory/\(name).flash")))
    }

    package func write(_ bytes: [UInt8], as name: String) throws -> String {
        try Data(bytes).write(to: URL(filePath: "\(folder)/\(name)"))
        return "\(folder)/\(name)"
    }

    package func flash(
        _ package: String, _ device: String, _ more: [String] = [], environment: [String: String] = [:],
        signal: (number: Int32, event: String, count: Int)? = nil, repeats: Int = 0, pause: Double = 0
    ) throws -> Program.Run {
        try Program.run(
            ["flash", package, "--adapter", scenario, "--device", device, "--json"] + more,
            environment: environment, signal: signal, repeats: repeats, pause: pause)
    }
}
