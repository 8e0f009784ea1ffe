import Foundation

/// The built program, run as users run it.
package struct Program {
    /// The result of a run.
    package struct Run {
        package let status: Int32
        package let output: String
        package let talk: String

        package init(status: Int32, output: String, talk: String) {
            self.status = status
            self.output = output
            self.talk = talk
        }

        /// The JSON objects of the output, one per line.
        package var events: [[String: Any]] {
            output.split(separator: "\n").compactMap {
                (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
            }
        }

        package var names: [String] { events.compactMap { $0["event"] as? String } }
        package var last: [String: Any] { events.last ?? [:] }
        package func first(_ name: String) -> [String: Any]? {
            events.first { $0["event"] as? String == name }
        }
    }

    /// The program under test.
    package static let path = path(of: "beacon-dfu")

    /// The program `name`, from the folder of the tests.
    package static func path(of name: String) -> String {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let beside =
            own.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/") + "/" + name
        return FileManager.default.isExecutableFile(atPath: beside)
            ? beside : Samples.root + "/.build/debug/" + name
    }

    /// The default folder for journals of programs; deleted after the tests.
    private static let state: String = {
        let folder = FileManager.default.temporaryDirectory.path + "/beacon-dfu-state-\(getpid())"
        atexit { try? FileManager.default.removeItem(atPath: Program.state) }
        return folder
    }()

    /// Runs the program to its end. `signal` is sent when an event named `event` has been printed for the `count`-th
    /// time, and `repeats` times more in quick succession; a stopped program is continued after `pause` seconds.
    /// `descriptors` limits its open files.
    package static func run(
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
        if signal?.number == SIGHUP {
            // Under nohup, tests ignore it, and their child processes would too.
            process.arguments =
                ["--default-signal=HUP", process.executableURL?.path ?? ""] + (process.arguments ?? [])
            process.executableURL = URL(filePath: "/usr/bin/env")
        }
        var environment = ProcessInfo.processInfo.environment
        environment["BEACON_DFU_ADAPTER"] = nil
        environment["BEACON_DFU_CONFIG"] = ""
        environment["NO_COLOR"] = nil
        environment["SOURCE_DATE_EPOCH"] = nil
        environment["BEACON_DFU_JOURNAL"] = nil
        environment["XDG_STATE_HOME"] = state
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
