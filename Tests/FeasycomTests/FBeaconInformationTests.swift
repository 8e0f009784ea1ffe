import Feasycom
import TestSupport
import Testing

@Suite struct `The file information of the vendor's SDK` {
    @Test func `has these fields and no others`() throws {
        let file = try FBeaconFile(parsing: try Samples.bytes("feasycom/bp102.fbu"))
        let fields = Mirror(reflecting: file.information).children.map(\.label)
        #expect(
            fields == [
                "bootloader", "binCRC", "length", "versionRange", "modelType", "modelTypeNum", "uploadModel",
                "crc",
            ])
    }

    @Test func `has the values in the file`() throws {
        let open = try FBeaconFile(parsing: try Samples.bytes("feasycom/bp102.fbu")).information
        #expect([open.bootloader, open.binCRC, open.crc] == [651, 0xEFB5, 0xF83E])
        #expect([open.versionRange.start, open.versionRange.end] == [800, 840])
        #expect([open.modelTypeNum, open.uploadModel] == [21, 1])
        #expect(open.length == 2048)
        #expect(open.modelType == "BP102")
        let vendor = try FBeaconFile(parsing: try Samples.bytes("feasycom/vendor-like.dfu")).information
        #expect([vendor.bootloader, vendor.modelTypeNum] == [651, 21])
        #expect(vendor.modelType == nil)
    }

    @Test func `keeps a descending version range`() throws {
        let file = try FBeaconFile(parsing: try Samples.bytes("malformed/fbeacon-version-range.fbu"))
        #expect([file.information.versionRange.start, file.information.versionRange.end] == [3, 2])
    }
}
