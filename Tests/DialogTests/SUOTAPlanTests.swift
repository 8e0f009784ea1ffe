import Bluetooth
import TestSupport
import Testing
import UpdateModel

@testable import Dialog

@Suite struct `A plan for a SUOTA image` {
    private static func plan(
        _ file: String = "dialog/58x.img", _ change: (inout UpdateOptions) -> Void = { _ in }
    ) throws -> UpdatePlan {
        var options = UpdateOptions()
        change(&options)
        return try SUOTAImage(parsing: try Samples.bytes(file)).plan(options)
    }

    @Test func `uses the accepted risks, the version, and options of its own`() throws {
        let plan = try Self.plan {
            $0.risks = [.wrongFamily, .sameVersion]
            $0.versionText = "2"
            $0[SUOTAPreferences.self].blockSize = 512
        }
        let preferences = try #require(plan.procedure as? SUOTAProcedure).preferences
        #expect(preferences.risks == [.wrongFamily, .sameVersion])
        #expect(preferences.blockSize == 512)
        #expect(plan.procedure.expectedVersion == ExpectedVersion(text: "2"))
        #expect(plan.entry == nil)
        #expect(plan.service == SUOTAService.uuid)
    }

    @Test func `states the default memory pins, unless they were given or do not matter`() throws {
        #expect(try Self.plan().advice.map(\.id) == ["default-pins"])
        #expect(try Self.plan("dialog/68x.img").advice == [])
        #expect(try Self.plan { $0[SUOTAPreferences.self].pins = .vendorI2C }.advice == [])
    }

    @Test func `is not made for an image that no device accepts`() throws {
        #expect(throws: PlanRefusal.self) { try Self.plan("malformed/suota-crc-mismatch.img") }
    }
}
