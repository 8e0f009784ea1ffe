import ArgumentParser
import TestSupport
import Testing
import UpdateModel

@testable import CommandKit

@Suite struct `The risks of a mixed tray` {
    private static func accepted(
        _ risks: [String], for file: String
    ) throws -> (accepted: Set<Risk>, unused: [String]) {
        let install = try InstallOptions.parse(risks.flatMap { ["--force", $0] } + ["--pins", pins])
        let path = Samples.root + "/firmware-samples/" + file
        let package = try FirmwareFile(path: path).vendorFile()
        let job = try FlashJob(package, at: path, by: install, as: install.sending, amongOthers: true)
        return (
            job.options.risks, install.idle(for: package, install.sending).filter { $0.hasPrefix("--force") }
        )
    }

    private static let pins = "miso=P0_1,mosi=P0_2,cs=P0_3,sck=P0_4"

    /// An acceptance for one unit must not apply to another, whose file has no such risk.
    @Test func `are accepted only for the files that have them`() throws {
        let named = ["unchanged-version", "lower-version", "running-bank"]
        #expect(try Self.accepted(named, for: "nordic/tiny.zip").accepted == [.lowerVersion])
        #expect(try Self.accepted(named, for: "dialog/58x.img").accepted == [.runningBank])
        #expect(
            try Self.accepted(named, for: "nordic/tiny.zip").unused
                == ["--force unchanged-version", "--force running-bank"])
    }
}
