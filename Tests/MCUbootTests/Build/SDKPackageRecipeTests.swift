import Bytes
import MCUboot
import TestSupport
import Testing
import UpdateModel

@Suite struct `A package of the nRF Connect SDK that is built` {
    private func image(_ revision: UInt16, at address: UInt32? = nil) throws -> MCUbootImage {
        var recipe = MCUbootRecipe.sample
        if let address { recipe.address = .fixed(address) }
        recipe.version = ImageVersion(major: 1, minor: 0, revision: revision, build: 7)
        return try MCUbootImage(parsing: try recipe.image())
    }

    @Test func `has its images and a manifest in the words of the SDK`() throws {
        let (application, network) = (try image(1, at: 0xC000), try image(2))
        var recipe = SDKPackageRecipe(
            [
                .init("app.signed.bin", application, slot: 0),
                .init("app_1.bin", try image(1, at: 0x8_0000), slot: 1),
                .init("net.bin", network, number: 1),
            ], time: 1_700_000_000)
        recipe.board = "nrf5340dk"
        let file = try recipe.file()
        #expect(try recipe.file() == file)
        let own = try #require(try MCUbootFile(package: file))
        #expect(
            own.parts.map(\.name) == ["network core", "application for slot 0", "application for slot 1"])
        #expect(own.findings(key: nil).firstError == nil)
        let archive = try ZipReader(file)
        #expect(archive.entries.map(\.name) == ["app.signed.bin", "app_1.bin", "net.bin", "manifest.json"])
        #expect(try archive.contents(of: "net.bin", atMost: 1 << 20) == network.bytes)
        let manifest = try JSONValue(json: try archive.contents(of: "manifest.json", atMost: 1 << 20))
        #expect(manifest["format-version"] == .integer(1))
        #expect(manifest["time"] == .integer(1_700_000_000))
        #expect(manifest["name"] == nil)
        let files = try #require(manifest["files"]?.list)
        #expect(
            files[1]
                == .object([
                    "file": .text("app_1.bin"), "size": .integer(372), "modtime": .integer(1_700_000_000),
                    "type": .text("application"), "board": .text("nrf5340dk"), "image_index": .text("0"),
                    "slot": .text("1"), "version_MCUBOOT+XIP": .text("1.0.1+7"),
                ]))
        #expect(
            files[2]
                == .object([
                    "file": .text("net.bin"), "size": .integer(372), "modtime": .integer(1_700_000_000),
                    "type": .text("application"), "board": .text("nrf5340dk"), "image_index": .text("1"),
                    "slot_index_primary": .text("3"), "slot_index_secondary": .text("4"),
                    "version_MCUBOOT": .text("1.0.2+7"),
                ]))
    }

    @Test func `is refused with names that are not those of files`() throws {
        for names in [["a/../b"], ["manifest.json"], ["a.bin", "a.bin"]] {
            let files = try names.map { SDKPackageRecipe.File($0, try image(1)) }
            #expect(throws: ArchiveError.self) { try SDKPackageRecipe(files, time: 0).file() }
        }
    }
}
