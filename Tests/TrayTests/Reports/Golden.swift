import Foundation
import TestSupport
import Testing
import Tray
import TraySamples

/// The expected reports, byte for byte, in files in this folder, so that a format change is visible.
enum Golden {
    /// The creation time of the reports in the files.
    static let made = RecordedTime(milliseconds: 1_795_424_400_000)

    /// Compares `text` with the file `name`. If they differ, the new text is left in `.build/reports`, to be reviewed
    /// and to replace the file.
    static func expect(_ text: String, _ name: String, _ location: SourceLocation = #_sourceLocation) throws {
        let golden = try? Samples.file(at: "\(Samples.root)/Tests/TrayTests/Reports/Golden/\(name)")
        guard golden != Array(text.utf8) else { return }
        let folder = Samples.root + "/.build/reports"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = try Tool.write(Array(text.utf8), as: name, in: folder)
        Issue.record("it is not what \(name) has; see \(path)", sourceLocation: location)
    }
}
