import Foundation
import TestSupport

/// The built program, run as users run it.
struct Program {
    /// What a run of it gave.
    struct Run {
        let status: Int32
        let output: String
        let talk: String

        /// The JSON objects of the output, one a line.
        var events: [[String: Any]] {
            output.split(separator: "\n").compactMap {
                (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
            }
        }

        var names: [String] { events.compactMap { $0["event"] as? String } }
        var last: [String: Any] { events.last ?? [:] }
        func first(_ name: String) -> [String: Any]? { events.first { $0["event"] as? String == name } }
    }

    /// What the tests are about.
    static let path = path(of: "beacon-dfu")

    /// The program `name`, built beside the tests.
    static func path(of name: String) -> String {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let beside =
            own.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/") + "/" + name
        return FileManager.default.isExecutableFile(atPath: beside)
            ? beside : Samples.root + "/.build/debug/" + name
    }

    /// Runs the program to its end. `signal` is sent when an event named `event` has been printed for the
    /// `count`-th time, and `repeats` times more as fast as that goes; a program that was stopped so is continued after
    /// `pause` seconds. `descriptors` is how many it may have open.
    static func run(
        _ arguments: [String], of name: String = "beacon-dfu", environment more: [String: String] = [:],
        signal: (number: Int32, event: String, count: Int)? = nil, repeats: Int = 0, pause: Double = 0,
        descriptors: Int? = nil
    ) throws -> Run {
        let process = Process()
        process.executableURL = URL(filePath: path(of: name))
        process.arguments = arguments
        if let descriptors {
            process.executableURL = URL(filePath: "/bin/sh")
            let limited = "ulimit -n \(descriptors); exec \"$0\" \"$@\""
            process.arguments = ["-c", limited, path(of: name)] + arguments
        }
        var environment = ProcessInfo.processInfo.environment
        environment["BEACON_DFU_ADAPTER"] = nil
        environment["NO_COLOR"] = nil
        environment["SOURCE_DATE_EPOCH"] = nil
        environment.merge(more) { $1 }
        process.environment = environment
        let output = Pipe()
        let talk = Pipe()
        process.standardOutput = output
        process.standardError = talk
        process.standardInput = FileHandle.nullDevice
        try process.run()
        var text = Data()
        var isSent = false
        while true {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            text += more
            if let signal, !isSent {
                let seen = String(decoding: text, as: UTF8.self).split(separator: "\n")
                    .count { $0.contains("\"event\":\"\(signal.event)\"") }
                if seen >= signal.count {
                    isSent = true
                    for _ in 0...repeats {
                        kill(process.processIdentifier, signal.number)
                        sched_yield()
                    }
                    if pause > 0 {
                        Thread.sleep(forTimeInterval: pause)
                        kill(process.processIdentifier, SIGCONT)
                    }
                }
            }
        }
        let words = talk.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let killed = process.terminationReason == .uncaughtSignal
        return Run(
            status: killed ? 128 + process.terminationStatus : process.terminationStatus,
            output: String(decoding: text, as: UTF8.self), talk: String(decoding: words, as: UTF8.self))
    }
}

/// A folder of its own for one test, with a scenario in it.
final class Tray {
    let folder: String
    var scenario: String { "sim:" + folder + "/tray.yaml" }

    /// A tray of the beacons in `yaml`, on a fast link, remembered between runs.
    init(_ beacons: String, link: String = "{interval_ms: 2, event_ms: 2}") throws {
        folder = FileManager.default.temporaryDirectory.path + "/beacon-dfu-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let yaml = "link: \(link)\nstate: memory\nbeacons:\n\(beacons)\n"
        try Data(yaml.utf8).write(to: URL(filePath: folder + "/tray.yaml"))
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// What the flash of the beacon whose application is at `address` holds, from the application's start.
    func flash(_ address: String) throws -> [UInt8] {
        let name = address.filter { $0 != ":" }
        return [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/memory/\(name).flash")))
    }

    func write(_ bytes: [UInt8], as name: String) throws -> String {
        try Data(bytes).write(to: URL(filePath: "\(folder)/\(name)"))
        return "\(folder)/\(name)"
    }

    func flash(
        _ package: String, _ device: String, _ more: [String] = [], environment: [String: String] = [:],
        signal: (number: Int32, event: String, count: Int)? = nil, repeats: Int = 0, pause: Double = 0
    ) throws -> Program.Run {
        try Program.run(
            ["flash", package, "--adapter", scenario, "--device", device, "--json"] + more,
            environment: environment, signal: signal, repeats: repeats, pause: pause)
    }
}
