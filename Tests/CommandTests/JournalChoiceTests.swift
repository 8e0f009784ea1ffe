import ArgumentParser
import FoundationEssentials
import TestSupport
import Testing
import UpdateModel

@testable import CommandKit

@Suite struct `The journal that history reads` {
    private static let names = ["journal.sqlite", "journal-simulated.sqlite"]

    /// The outcome with one of the two journals, or none.
    private static func failure(
        _ arguments: [String], with name: String?
    ) throws -> (path: String?, failure: CommandFailure?) {
        let folder = FileManager.default.temporaryDirectory.path + "/history-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let own = folder + "/beacon-dfu"
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        if let name { try Data().write(to: URL(filePath: own + "/" + name)) }
        do {
            return (try JournalChoice.parse(arguments).path(["XDG_STATE_HOME": folder]), nil)
        } catch let failure as CommandFailure { return (nil, failure) }
    }

    @Test(arguments: [([], "journal-simulated.sqlite"), (["--simulated"], "journal.sqlite")])
    func `is missing, and the other one is named if it exists`(
        _ arguments: [String], _ other: String
    ) throws {
        let failure = try #require(try Self.failure(arguments, with: other).failure)
        #expect(failure.code == "journal-missing" && failure.message.hasSuffix("/\(other)"))
        #expect(failure.nextStep.contains("--simulated"))
        // The error of the one that is opened names no other one.
        #expect(try Self.failure(arguments, with: nil).path?.hasSuffix("/\(other)") == false)
        let own = try #require(Self.names.first { $0 != other })
        #expect(try Self.failure(arguments, with: own).path?.hasSuffix("/\(own)") == true)
    }
}
