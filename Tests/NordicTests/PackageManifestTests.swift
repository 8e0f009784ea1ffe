import Bytes
import Nordic
import Testing

@Suite struct `A manifest` {
    @Test func `names parts in sending order and tolerates other keys`() throws {
        let manifest = try PackageManifest(
            parsing: Array(
                """
                {"manifest": {
                  "application": {"bin_file": "a.bin", "dat_file": "a.dat", "more": [1, {}]},
                  "bootloader": {"bin_file": "b.bin", "dat_file": "b.dat"},
                  "dfu_version": 0.8, "future": null}, "version": 1}
                """.utf8))
        #expect(manifest.parts.map(\.role) == [.bootloader, .application])
        #expect(manifest.parts.map(\.binFile) == ["b.bin", "a.bin"])
        #expect(manifest.dfuVersion == 0.8)
    }

    @Test func `keeps the sizes that are noted for people`() throws {
        let manifest = try PackageManifest(
            parsing: Array(
                """
                {"manifest": {"softdevice_bootloader": {"bin_file": "sd_bl.bin", "dat_file": "sd_bl.dat",
                  "info_read_only_metadata": {"bl_size": 24000, "sd_size": 110000}}}}
                """.utf8))
        #expect(manifest.parts.map(\.bootloaderSize) == [24000])
        #expect(manifest.parts.map(\.softdeviceSize) == [110000])
    }

    @Test func `keeps the notes of Legacy packagers`() throws {
        let manifest = try PackageManifest(
            parsing: Array(
                """
                {"manifest": {"softdevice_bootloader": {"bin_file": "sd_bl.bin", "dat_file": "sd_bl.dat",
                  "bl_size": 24000, "sd_size": 110000, "init_packet_data": {"device_type": 82, "firmware_hash": "00",
                  "softdevice_req": [100, 182], "ext_packet_id": null, "more": {}}}}}
                """.utf8))
        let notes = try #require(manifest.parts.first?.legacy)
        #expect(notes.bootloaderSize == 24000 && notes.softdeviceSize == 110000)
        #expect(
            notes.initPacketData == [
                "device_type": .number(82), "firmware_hash": .text("00"),
                "softdevice_req": .list([.number(100), .number(182)]), "more": .object([:]),
            ])
    }

    @Test(arguments: ["1", "[]", "\"text\"", "{}", "null"])
    func `ignores notes of any other form`(_ notes: String) throws {
        let json =
            #"{"manifest": {"application": {"bin_file": "a", "dat_file": "b", "init_packet_data": "# + notes
            + "}}}"
        let part = try #require(try PackageManifest(parsing: Array(json.utf8)).parts.first)
        #expect(part.legacy.initPacketData?.isEmpty != false)
    }

    static let flaws: [(String, PackageError)] = [
        ("{}", .manifestField("manifest", .missing)),
        ("[]", .manifestField("the outermost value", .wrongType)),
        (#"{"manifest": 1}"#, .manifestField("manifest", .wrongType)),
        (#"{"manifest": {"application": []}}"#, .manifestField("manifest.application", .wrongType)),
        (
            #"{"manifest": {"application": {"info_read_only_metadata": {"bl_size": "1"}}}}"#,
            .manifestField("manifest.application.info_read_only_metadata.bl_size", .wrongType)
        ),
        (#"{"manifest": {"firmware": {}}}"#, .manifestWithoutParts),
        (#"{"manifest": {"application": {}}}"#, .manifestField("manifest.application.bin_file", .missing)),
        (
            #"{"manifest": {"application": {"bin_file": "a", "dat_file": ""}}}"#,
            .manifestField("manifest.application.dat_file", .missing)
        ),
        (#"{"format-version": 0, "files": []}"#, .mcuboot),
        (
            #"{"manifest": {"bootloader": {"bin_file": "a", "dat_file": "b", "bl_size": 0.5}}}"#,
            .manifestField("manifest.bootloader.bl_size", .wrongType)
        ),
        (
            #"{"manifest": {"bootloader": {"bin_file": "a", "dat_file": "b", "sd_size": 4294967296}}}"#,
            .manifestField("manifest.bootloader.sd_size", .wrongType)
        ),
        (
            #"{"manifest": {"bootloader": {"bin_file": "a", "dat_file": "b", "sd_size": 1e400}}}"#,
            .manifestField("manifest.bootloader.sd_size", .wrongType)
        ),
        (
            #"{"manifest": {"bootloader": {"bin_file": "a", "dat_file": "b"}, "dfu_version": 1e400}}"#,
            .manifestField("manifest.dfu_version", .wrongType)
        ),
        (
            #"{"manifest": {"bootloader": {"bin_file": 1, "dat_file": "b"}}}"#,
            .manifestField("manifest.bootloader.bin_file", .wrongType)
        ),
    ]

    @Test(arguments: flaws)
    func `is refused with the wrong field`(_ json: String, _ error: PackageError) {
        #expect(throws: error) { try PackageManifest(parsing: Array(json.utf8)) }
    }

    @Test(arguments: [
        "", "{", "manifest", "{\"manifest\": {}", "\u{0}", "{\"manifest\": nul}", "a: 1", "{'a': 1}", "{} {}",
        #"{"a": 1,}"#, #"{"a": 01}"#, #"{"a": "\x41"}"#, #"{"a": "\ud800"}"#, "{\"a\": \"\t\"}",
        #"{"a": "\ud800\ue000"}"#,
    ])
    func `has to be JSON`(_ text: String) {
        #expect(throws: PackageError.manifestNotJSON) { try PackageManifest(parsing: Array(text.utf8)) }
    }

    @Test func `may have escapes in names, and numbers in any form`() throws {
        let text = #"""
            {"manifest": {"application": {"bin_\u0066ile": "\u0061\/\ud83d\ude00", "dat_file": "b",
              "info_read_only_metadata": {"bl_size": 2.4e4, "sd_size": 1.5}, "bl_size": 1E2, "sd_size": 7.0,
              "init_packet_data": {"device_type": 82.0, "softdevice_req": [1E2]}}, "dfu_version": null}}
            """#
        let part = try #require(try PackageManifest(parsing: Array(text.utf8)).parts.first)
        #expect(part.binFile == "a/😀")
        #expect(part.bootloaderSize == 24000 && part.softdeviceSize == nil)
        #expect(part.legacy.bootloaderSize == 100 && part.legacy.softdeviceSize == 7)
        #expect(
            part.legacy.initPacketData == [
                "device_type": .number(82), "softdevice_req": .list([.number(100)]),
            ])
    }

    @Test func `may have one key in several objects, and quotes and colons in texts`() throws {
        let text =
            #"{"a": {"x": 1}, "b": [{"x": "\"x\": "}, {"x": ":"}], "x": "x","#
            + #""manifest": {"application": {"bin_file": "a", "dat_file": "b"}}}"#
        #expect(try PackageManifest(parsing: Array(text.utf8)).parts.count == 1)
    }

    @Test(arguments: [
        (#"{"manifest": {"application": {"dat_file": "a", "dat_file": "b"}}}"#, "dat_file", 47),
        (#"{"manifest": {"application": {}}, "\u006danifest": 1}"#, "manifest", 34),
        (#"{"n": [{"k": 1, "k": 1}], "manifest": {}}"#, "k", 16),
    ])
    func `has each key of an object once`(_ text: String, _ key: String, _ offset: Int) {
        #expect(throws: PackageError.manifestKeyRepeated(key, offset: offset)) {
            try PackageManifest(parsing: Array(text.utf8))
        }
    }

    @Test func `nested without end is refused`() {
        let deep = [UInt8](repeating: UInt8(ascii: "["), count: 60_000)
        #expect(throws: PackageError.self) { try PackageManifest(parsing: deep) }
    }
}
