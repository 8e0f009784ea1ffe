import Firmware
import KKM
import TestSupport
import Testing
import UpdateModel

@testable import RadioCommands

@Suite struct `The features of each maker's beacons` {
    @Test func `are on the page as the program declares them`() throws {
        let path = Samples.root + "/docs/makers.md"
        let page = String(decoding: try Samples.file(at: path), as: UTF8.self)
        let begin = try #require(page.firstRange(of: "| beacons |"))
        #expect(
            String(page[begin.lowerBound...]) == MakerSupport.page,
            "docs/makers.md should go on with:\n\(MakerSupport.page)")
    }

    @Test func `have a row for each kind that belongs to a maker`() {
        let rows = Set(MakerSupport.all.map(\.family))
        #expect(rows == Set(Family.allCases.filter { $0.maker != nil }.map(\.rawValue)))
        #expect(MakerSupport.all.allSatisfy { isProven($0, .scan) })
    }

    /// A cell describes what the commands do.
    @Test(arguments: Family.allCases.filter { $0.maker != nil })
    func `match what the commands accept`(family: Family) throws {
        let row = try #require(MakerSupport.of(family))
        let vendor = KnownVendors.withSessions.first { $0.families.contains(family.rawValue) }
        let hasSettings = vendor is any SettingsVendor
        #expect(isProven(row, .settingsRead) == hasSettings && isProven(row, .settingsWritten) == hasSettings)
        #expect(isProven(row, .blink) == (vendor is any BlinkVendor))
        #expect(isProven(row, .records) == (vendor is any RecordsVendor))
        #expect(isProven(row, .password) == (vendor is any PasswordVendor))
        let isUpdated = family.maker?.vendorWay == nil && family != .kkmOld
        #expect(isProven(row, .updated) == isUpdated)
        // An unsupported feature has a reason.
        let open = MakerSupport.Feature.allCases.contains { feature in
            if case .notPublic = row.answer(to: feature) { true } else { false }
        }
        #expect(!open || !row.gaps.isEmpty)
    }

    private func isProven(_ row: MakerSupport, _ feature: MakerSupport.Feature) -> Bool {
        if case .proven(let proofs) = row.answer(to: feature) { !proofs.isEmpty } else { false }
    }
}
