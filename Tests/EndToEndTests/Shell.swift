import Foundation
import TestSupport

/// The program started by a shell.
enum Shell {
    /// The result; the output includes stderr.
    struct Run {
        let status: Int32
        let output: String
    }

    /// Runs `script`, in which `"$0" "$@"` is the program with `arguments`; under `tool` if one is named.
    static func run(_ script: String, _ arguments: [String], with tool: [String] = []) throws -> Run {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = tool + ["/bin/sh", "-c", script, Program.path] + arguments
        let pipe = Pipe()
        (process.standardOutput, process.standardError) = (pipe, pipe)
        try process.run()
        let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Run(status: process.terminationStatus, output: String(decoding: bytes, as: UTF8.self))
    }
}
