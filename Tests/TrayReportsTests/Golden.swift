import Foundation
import TestSupport
import Testing
import Tray
import TraySamples

/// What a report has to be, byte for byte: files beside the tests, so that a change of a format is seen as one.
enum Golden {
    /// When the reports in the files were made.
    static let made = RecordedTime(milliseconds: 1_795_424_400_000)

    /// Compares `text` with the file `name`. Where they differ, what was made is left in `.build/reports`, to be looked at
    /// and to take the file's place.
    static func expect(_ text: String, _ name: String, _ location: SourceLocation = #_sourceLocation) throws {
        let golden = try? Samples.file(at: "\(Samples.root)/Tests/TrayReportsTests/Golden/\(name)")
        guard golden != Array(text.utf8) else { return }
        let folder = Samples.root + "/.build/reports"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = try Tool.write(Array(text.utf8), as: name, in: folder)
        Issue.record("it is not what \(name) has; see \(path)", sourceLocation: location)
    }
}
