import Foundation

/// Another program of this machine, to check our files independently.
public enum Tool {
    /// The result of a run.
    public struct Run: Sendable {
        /// Its exit status.
        public let status: Int32
        /// Its stdout.
        public let output: [UInt8]
        /// Its stderr.
        public let talk: String
        /// ``output`` as text.
        public var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// Runs `arguments`, the first of which is the program's name, with `input` on stdin.
    public static func run(_ arguments: [String], input: [UInt8] = []) throws -> Run {
        try inFolder { folder in
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = arguments
            process.environment = ProcessInfo.processInfo.environment.merging(["PYTHONIOENCODING": "utf-8"]) {
                $1
            }
            let source = try write(input, as: "stdin", in: folder)
            process.standardInput = try FileHandle(forReadingFrom: URL(filePath: source))
            let output = Pipe()
            process.standardOutput = output
            // A file, so that writing does not need a concurrent reader.
            let talk = try write([], as: "stderr", in: folder)
            process.standardError = try FileHandle(forWritingTo: URL(filePath: talk))
            try process.run()
            let bytes = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return Run(
                status: process.terminationStatus, output: Array(bytes),
                talk: String(decoding: try Samples.file(at: talk), as: UTF8.self))
        }
    }

    /// It is missing, or rejects its input.
    public struct Failure: Error {
        /// The command.
        public let command: [String]
        /// Its exit status and output.
        public let run: Run
    }

    /// The stdout of a run that has to succeed.
    public static func output(of command: [String], input: [UInt8] = []) throws -> [UInt8] {
        let run = try run(command, input: input)
        guard run.status == 0 else { throw Failure(command: command, run: run) }
        return run.output
    }

    /// The result of `body` with a folder of its own, which is removed afterwards.
    public static func inFolder<Value>(_ body: (String) throws -> Value) throws -> Value {
        let folder = FileManager.default.temporaryDirectory.path + "/beacon-dfu-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try body(folder)
    }

    /// Writes a file; returns its path.
    @discardableResult
    public static func write(_ bytes: [UInt8], as name: String, in folder: String) throws -> String {
        try Data(bytes).write(to: URL(filePath: "\(folder)/\(name)"))
        return "\(folder)/\(name)"
    }
}

/// The memory that this process occupies, as the kernel reports it.
public enum ResidentMemory {
    /// Bytes now, `VmRSS` of `/proc/self/status`; 0 if the kernel does not report it.
    public static var now: Int {
        guard let status = try? Samples.file(at: "/proc/self/status") else { return 0 }
        for line in String(decoding: status, as: UTF8.self).split(separator: "\n") {
            guard line.hasPrefix("VmRSS:") else { continue }
            return (Int(line.split(whereSeparator: { !$0.isNumber }).first ?? "") ?? 0) << 10
        }
        return 0
    }
}
