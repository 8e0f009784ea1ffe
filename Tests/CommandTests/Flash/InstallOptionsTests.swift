import ArgumentParser
import Firmware
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
        let package = try FileContent(path: path).vendorFile()
        let job = try FlashJob(
            package, at: path, by: install, as: install.sending, ignoringUnusedOptions: true)
        return (
            job.options.risks,
            install.unusedOptions(for: package, install.sending).filter { $0.hasPrefix("--force") }
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

    @Test func `and of a single beacon are refused if its file does not have them`() throws {
        let path = Samples.root + "/firmware-samples/nordic/tiny.zip"
        let package = try FileContent(path: path).vendorFile()
        func job(_ risk: Risk) throws -> FlashJob {
            let install = try InstallOptions.parse(["--force", risk.rawValue])
            return try FlashJob(package, at: path, by: install, as: install.sending)
        }
        #expect(try job(.lowerVersion).options.risks == [.lowerVersion])
        #expect(try job(.olderCatalogue).options.risks == [])
        let failure = #expect(throws: CommandFailure.self) { try job(.runningBank) }
        #expect(failure?.code == "option-unused")
    }
}

@Suite struct `The lowest charge for an update` {
    @Test(
        arguments: [
            ([], nil, 20, 2400), ([], 40, 40, 2400), (["30"], 40, 30, 2400), (["2500mV"], 40, 40, 2500),
            (["0"], 40, 0, 0), (["100%", "10000mV"], nil, 100, 10_000),
        ] as [([String], Int?, Int, Int)])
    func `is the user's, else the family's, else the usual one`(
        _ texts: [String], _ family: Int?, _ percent: Int, _ millivolts: Int
    ) throws {
        let battery = family.map { ", minimum_battery: \($0)" } ?? ""
        let text = "{catalogue: 1, models: [{model: A, kind: suota\(battery)}]}"
        let model = try #require(try Catalogue(files: [("a.yaml", Array(text.utf8))]).families.first)
        let install = try InstallOptions.parse(texts.flatMap { ["--min-battery", $0] })
        let limit = try install.batteryLimit(for: model)
        #expect(limit.percent == percent && limit.millivolts == millivolts)
    }
}
