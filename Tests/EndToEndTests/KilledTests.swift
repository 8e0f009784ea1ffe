import Foundation
import TestSupport
import Testing

/// SIGKILL at any moment of a run: the program cannot clean up.
@Suite(.timeLimit(.minutes(20)), .programs) struct `The program that is killed while it writes` {
    /// The number of moments, spread over the duration of a whole run.
    private static let moments = 32

    /// Runs it for at most `limit`; returns whether it was killed then.
    private static func run(_ arguments: [String], for limit: Duration? = nil) throws -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: Program.path)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        if let limit {
            // Its end of the pipe is closed when it ends.
            var end = pollfd(fd: output.fileHandleForReading.fileDescriptor, events: 0, revents: 0)
            if poll(&end, 1, Int32(limit / .milliseconds(1))) == 0 {
                kill(process.processIdentifier, SIGKILL)
            }
        }
        process.waitUntilExit()
        if process.terminationReason == .exit { #expect(process.terminationStatus == 0) }
        return process.terminationReason == .uncaughtSignal
    }

    /// Runs it whole, then kills it at every moment and lets `check` inspect the files.
    private static func killing(
        _ arguments: (Int) -> [String], check: (Int) throws -> Void
    ) throws {
        let began = ContinuousClock.now
        let isKilled = try run(arguments(0))
        #expect(!isKilled)
        let whole = ContinuousClock.now - began
        var killed = 0
        for moment in 1...moments {
            if try run(arguments(moment), for: whole * moment / moments) { killed += 1 }
            try check(moment)
        }
        #expect(killed > 0)
    }

    private static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    @Test func `leaves a whole key that only its owner can read, or none`() throws {
        try Tool.inFolder { folder in
            try Self.killing({ ["keys", "generate", "\(folder)/\($0).pem"] }) { moment in
                let path = "\(folder)/\(moment).pem"
                guard FileManager.default.fileExists(atPath: path) else { return }
                let shown = try Program.run(["keys", "show", path])
                #expect(shown.status == 0)
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
                #expect(mode as? Int == 0o600)
            }
            #expect(try Self.names(in: folder).allSatisfy { $0.hasSuffix(".pem") && !$0.hasPrefix(".") })
        }
    }

    /// The build of a version, from a program that takes a while to write and read back.
    private static func build(_ folder: String, _ version: String, _ output: String) -> [String] {
        [
            "build", "suota", folder + "/app.bin", folder + "/" + output, "--header", "68x", "--version",
            version, "--timestamp", "2026-01-31T12:00:00Z",
        ]
    }

    @Test func `leaves the whole image, or none`() throws {
        try Tool.inFolder { folder in
            let program = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
            try Tool.write(program, as: "app.bin", in: folder)
            try Self.killing({ Self.build(folder, "1.0.0", "\($0).img") }) { moment in
                let path = "\(folder)/\(moment).img"
                guard FileManager.default.fileExists(atPath: path) else { return }
                let (image, whole) = (try Samples.file(at: path), try Samples.file(at: folder + "/0.img"))
                #expect(image == whole)
            }
            #expect(try Self.names(in: folder).allSatisfy { !$0.hasPrefix(".") })
        }
    }

    @Test func `leaves the old image or the whole new one if there was one`() throws {
        try Tool.inFolder { folder in
            let program = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
            try Tool.write(program, as: "app.bin", in: folder)
            for version in ["1.0.0", "1.0.1"] {
                let isKilled = try Self.run(Self.build(folder, version, version))
                #expect(!isKilled)
            }
            let images = try ["1.0.0", "1.0.1"].map { try Samples.file(at: "\(folder)/\($0)") }
            try Tool.write(images[0], as: "out.img", in: folder)
            try Self.killing({ Self.build(folder, "1.0.\($0 % 2)", "out.img") }) { _ in
                let image = try Samples.file(at: folder + "/out.img")
                #expect(images.contains(image))
            }
        }
    }
}
