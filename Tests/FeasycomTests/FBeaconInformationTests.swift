import TestSupport
import Testing
import UpdateModel

@testable import Feasycom

@Suite struct `The file information of the vendor's SDK` {
    private static func information(_ sample: String) throws -> [String: Fact] {
        try FBeaconFile(parsing: try Samples.bytes(sample)).information
    }

    @Test func `has the values in the file, and no others`() throws {
        #expect(
            try Self.information("feasycom/bp102.fbu") == [
                "bootloader": .integer(651), "bin_crc": .text("efb5"), "length": .integer(2048),
                "version_range": .list([.integer(800), .integer(840)]), "model_type": .text("BP102"),
                "model_type_num": .integer(21), "upload_model": .integer(1), "crc": .text("f83e"),
            ])
        let vendor = try Self.information("feasycom/vendor-like.dfu")
        #expect([vendor["bootloader"], vendor["model_type_num"]] == [.integer(651), .integer(21)])
        #expect(vendor["model_type"] == .absent)
    }

    @Test func `keeps a descending version range`() throws {
        let file = try Self.information("malformed/fbeacon-version-range.fbu")
        #expect(file["version_range"] == .list([.integer(3), .integer(2)]))
    }
}
