import Foundation
import TestSupport

/// Adafruit's packager, if `scripts/python-tools` could install it.
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
            [folder + "/bin/python", Samples.root + "/Tests/NordicTests/Legacy/adafruit.py"] + arguments)
    }

    /// The package as its reader returns it.
    static func reading(_ package: [UInt8]) throws -> Reading {
        try Tool.inFolder { folder in
            let path = try Tool.write(package, as: "package.zip", in: folder)
            let answer = try library(["read", path, folder + "/unpacked"])
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return try decoder.decode(Reading.self, from: Data(answer.utf8))
        }
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

    private static func run(_ words: [String]) throws -> String {
        String(decoding: try Tool.output(of: words), as: UTF8.self)
    }
}
