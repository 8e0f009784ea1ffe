import Foundation

/// A program of somebody else, run so that two hands can be compared.
public enum OtherProgram {
    /// It is missing, or does not like what it was given.
    public struct Failure: Error {
        /// What was run.
        public let command: String
        /// How it ended.
        public let status: Int32
    }

    /// What `command` writes to its standard output when it reads `input`.
    public static func run(_ command: [String], input: [UInt8] = []) throws -> [UInt8] {
        // Files instead of pipes: nobody has to read while somebody writes.
        let folder = FileManager.default.temporaryDirectory.path + "/other-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data(input).write(to: URL(filePath: folder + "/input"))
        try Data().write(to: URL(filePath: folder + "/output"))
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.standardInput = try FileHandle(forReadingFrom: URL(filePath: folder + "/input"))
        process.standardOutput = try FileHandle(forWritingTo: URL(filePath: folder + "/output"))
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(command: command.joined(separator: " "), status: process.terminationStatus)
        }
        return try Samples.file(at: folder + "/output")
    }
}
