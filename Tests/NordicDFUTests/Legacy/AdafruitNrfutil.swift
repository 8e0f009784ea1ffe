import Foundation
import TestSupport

/// Adafruit's packager, where `scripts/python-tools` could install it.
enum AdafruitNrfutil {
    static let folder = Samples.root + "/.build/python-tools"
    static let isThere = FileManager.default.fileExists(atPath: folder + "/pinned.txt")

    /// Runs its command line program.
    static func command(_ arguments: [String]) throws -> String {
        try run([folder + "/bin/adafruit-nrfutil"] + arguments)
    }

    /// Runs its library.
    static func library(_ arguments: [String]) throws -> String {
        try run(
            [folder + "/bin/python", Samples.root + "/Tests/NordicDFUTests/Legacy/adafruit.py"] + arguments)
    }

    /// What its reader makes of the package.
    static func reading(_ package: [UInt8]) throws -> Reading {
        try inFolder { path in
            try Data(package).write(to: URL(filePath: path + "/package.zip"))
            let answer = try library(["read", path + "/package.zip", path + "/unpacked"])
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return try decoder.decode(Reading.self, from: Data(answer.utf8))
        }
    }

    /// What `body` makes of a folder, which is removed afterwards.
    static func inFolder<Value>(_ body: (_ path: String) throws -> Value) throws -> Value {
        let path = FileManager.default.temporaryDirectory.path + "/legacy-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try body(path)
    }

    struct Reading: Decodable {
        struct Part: Decodable {
            let binBytes: Int
            let sdSize, blSize: Int?
            let crc16: UInt16
            let sha256: String
            let packetIsWhatIsNoted, signed: Bool
        }

        let dfuVersion: Double
        let parts: [String: Part]
    }

    struct Failure: Error { let words: String }

    private static func run(_ words: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: words[0])
        process.arguments = Array(words.dropFirst())
        let output = Pipe()
        let talk = Pipe()
        process.standardOutput = output
        process.standardError = talk
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let said = String(decoding: talk.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(words: "\(words): \(said)") }
        return text
    }
}
