import BluetoothTypes
import FirmwareModel
import TestSupport
import Testing
import UpdateCore

@testable import DialogSUOTA

@Suite struct `A plan for a SUOTA image` {
    private static func plan(
        _ file: String = "dialog/58x.img", _ change: (inout UpdateOptions) -> Void = { _ in }
    ) throws -> UpdatePlan {
        var options = UpdateOptions()
        change(&options)
        return try SUOTAImage(parsing: try Samples.bytes(file)).plan(options)
    }

    @Test func `takes the risks and the version that were asked for, and wishes of its own`() throws {
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

    @Test func `says where the memory is taken to be, unless that was said or does not matter`() throws {
        #expect(try Self.plan().advice.map(\.id) == ["default-pins"])
        #expect(try Self.plan("dialog/68x.img").advice == [])
        #expect(try Self.plan { $0[SUOTAPreferences.self].pins = .vendorI2C }.advice == [])
    }

    @Test func `is not made for an image that no device takes`() throws {
        #expect(throws: PlanRefusal.self) { try Self.plan("malformed/suota-crc-mismatch.img") }
    }
}
