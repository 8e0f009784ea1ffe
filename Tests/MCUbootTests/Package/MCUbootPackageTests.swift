import Bytes
import TestSupport
import Testing
import UpdateModel

@testable import MCUboot

/// Writes packages of the nRF Connect SDK.
enum PackageDraft {
    /// A ZIP file with `manifest` and files.
    static func zip(_ manifest: String, _ files: [(String, [UInt8])]) throws -> [UInt8] {
        var archive = ZipWriter()
        try archive.add("manifest.json", Array(manifest.utf8))
        for (name, bytes) in files { try archive.add(name, bytes) }
        return try archive.file()
    }

    /// A package with these entries in `files`, and a file for each name in them.
    static func package(_ entries: String, version: Int = 1, files: [(String, [UInt8])]) throws -> MCUbootFile
    {
        let manifest =
            #"{"format-version": \#(version), "time": 1700000000, "name": "lantern", "files": [\#(entries)]}"#
        return try #require(try MCUbootFile(package: try zip(manifest, files)))
    }

    /// A valid image of this version.
    static func image(_ version: [UInt8] = [1, 2, 3, 0, 0, 0, 0, 0], flags: UInt32 = 0) -> [UInt8] {
        var draft = ImageDraft()
        (draft.version, draft.flags) = (version, flags)
        return draft.bytes
    }

    /// A valid image that is linked for the slot at this address.
    static func variant(at address: UInt32) -> [UInt8] {
        var draft = ImageDraft()
        (draft.flags, draft.loadAddress) = (0x100, address)
        return draft.bytes
    }
}

@Suite struct `A package of the nRF Connect SDK` {
    @Test func `of format 1 has one image`() throws {
        let image = PackageDraft.image()
        let file = try PackageDraft.package(
            #"{"type": "application", "board": "lantern/nrf52840", "soc": "nrf52840", "#
                + #""load_address": 49664, "image_index": "0", "slot_index_primary": "1", "slot_index_secondary": "2", "#
                + #""version_MCUBOOT": "1.2.3+0", "size": \#(image.count), "#
                + #""file": "app.signed.bin", "modtime": 1}"#,
            files: [("app.signed.bin", image)])
        #expect(file.manifest?.formatVersion == 1)
        #expect(
            file.uploads == [
                ImageUpload(
                    bytes: image, hash: try #require(try MCUbootImage(parsing: image).hash),
                    version: ImageVersion(major: 1, minor: 2, revision: 3))
            ])
        #expect(file.hardware == "lantern/nrf52840")
        #expect(file.summary.version?.text == "1.2.3")
        #expect(file.findings(key: nil).isEmpty)
    }

    @Test(arguments: [
        #"{"file": "app_update.bin", "load_address": 49152, "image_index": "0"}"#,
        #"{"file": "app_update.bin", "load_address": "0xC000", "image_index": 0}"#,
        #"{"file": "app_update.bin", "load_address": 0xC000}"#,
        #"{"load_address":0xc000,"file":"app_update.bin","image":0,"version_MCUBOOT":null}"#,
    ])
    func `of format 0 has its numbers in any form`(entry: String) throws {
        let file = try PackageDraft.package(
            entry, version: 0, files: [("app_update.bin", PackageDraft.image())])
        #expect(file.parts.map(\.number) == [0])
        #expect(file.parts.map(\.file?.loadAddress) == [0xC000])
    }

    @Test func `sends the network core before the application`() throws {
        let file = try PackageDraft.package(
            #"{"file": "app.signed.bin", "image_index": "0", "soc": "nrf5340", "#
                + #""board": "lantern/nrf5340/cpuapp"}, "#
                + #"{"file": "ipc_radio.bin", "image_index": "1", "version": "1", "#
                + #""board": "lantern/nrf5340/cpunet"}"#,
            files: [
                ("app.signed.bin", PackageDraft.image()),
                ("ipc_radio.bin", PackageDraft.image([9, 0, 0, 0, 0, 0, 0, 0])),
            ])
        #expect(file.uploads.map(\.image) == [1, 0])
        #expect(file.uploads.map(\.title) == ["network core", "application"])
        #expect(file.summary.version?.text == "1.2.3")
        #expect(file.summary.hasApplication)
        #expect(file.findings(key: nil).isEmpty)
    }

    @Test func `has variants for two slots, which builds number over all images`() throws {
        let file = try PackageDraft.package(
            #"{"file": "a0.bin", "image_index": "0", "slot": "0", "version_MCUBOOT+XIP": "1.2.3"}, "#
                + #"{"file": "a1.bin", "image_index": "0", "slot": "1", "version_MCUBOOT+XIP": "1.2.3"}, "#
                + #"{"file": "b0.bin", "image_index": "1", "slot": "2", "version_MCUBOOT+XIP": "1.2.3"}, "#
                + #"{"file": "b1.bin", "image_index": "1", "slot": "3", "version_MCUBOOT+XIP": "1.2.3"}"#,
            files: ["a0.bin", "a1.bin", "b0.bin", "b1.bin"].enumerated().map {
                ($1, PackageDraft.variant(at: UInt32($0 + 1) << 16))
            })
        #expect(file.parts.map { $0.file?.name } == ["b0.bin", "b1.bin", "a0.bin", "a1.bin"])
        #expect(file.uploads.map(\.slot) == [0, 1, 0, 1])
        #expect(file.summary.parts.map(\.title) == ["image 1", "application"])
        #expect(file.findings(key: nil).isEmpty)
    }

    @Test func `for direct-XIP without slots has the variants in their order`() throws {
        let file = try PackageDraft.package(
            #"{"file": "b.bin", "version_MCUBOOT+XIP": "1.2.3"}, "#
                + #"{"file": "a.bin", "version_MCUBOOT+XIP": "1.2.3"}"#,
            files: [("a.bin", PackageDraft.image()), ("b.bin", PackageDraft.image())])
        #expect(file.parts.map { $0.file?.name } == ["b.bin", "a.bin"])
        #expect(file.uploads.map(\.slot) == [0, 1])
    }

    @Test func `splits an application between flashes, or has firmware for a Wi-Fi chip`() throws {
        let file = try PackageDraft.package(
            #"{"file": "app.internal.bin", "image_index": "0"}, "#
                + #"{"file": "app.external.bin", "image_index": "1"}, "#
                + #"{"file": "nrf70.bin", "image_index": "2"}"#,
            files: ["app.internal.bin", "app.external.bin", "nrf70.bin"].map { ($0, PackageDraft.image()) })
        #expect(
            file.parts.map(\.title) == [
                "firmware of the Wi-Fi chip", "external flash of the application", "application",
            ])
    }

    @Test(arguments: [#""slot": "0", "#, ""])
    func `of the bootloader has two variants, and is not sent`(slot: String) throws {
        let second = slot.isEmpty ? "" : #""slot": "1", "#
        let file = try PackageDraft.package(
            #"{"type": "mcuboot", \#(slot) "version_B0": "2", "file": "s0.bin"}, "#
                + #"{"type": "mcuboot", \#(second) "version_B0": "2", "file": "s1.bin"}"#,
            files: [
                ("s0.bin", PackageDraft.variant(at: 0x8000)), ("s1.bin", PackageDraft.variant(at: 0x1_0000)),
            ])
        #expect(file.parts.map(\.slot) == [0, 1])
        #expect(!file.summary.hasApplication)
        #expect(file.findings(key: nil).map(\.code) == [.mcubootPackage.bootloader])
        #expect {
            try file.plan(UpdateOptions())
        } throws: {
            guard case .notSent(let reason?) = $0 as? PlanRefusal else { return false }
            return reason.contains("bootloader itself")
        }
    }

    @Test(arguments: [0xC000, 0x8_0000] as [UInt32])
    func `has variants that are linked for their own slots`(address: UInt32) throws {
        var other = ImageDraft()
        (other.flags, other.loadAddress, other.body) = (0x100, address, Array("another".utf8))
        let file = try PackageDraft.package(
            #"{"file": "a.bin", "slot": "0"}, {"file": "b.bin", "slot": "1"}"#,
            files: [("a.bin", PackageDraft.variant(at: 0xC000)), ("b.bin", other.bytes)])
        #expect(file.findings(key: nil).map(\.code) == (address == 0xC000 ? [.mcubootPackage.slotTwice] : []))
        let same = try PackageDraft.package(
            #"{"file": "a.bin", "slot": "0"}, {"file": "b.bin", "slot": "1"}"#,
            files: ["a.bin", "b.bin"].map { ($0, PackageDraft.image()) })
        #expect(same.findings(key: nil).map(\.code) == [.mcubootPackage.slotTwice])
    }

    @Test func `whose manifest is no JSON is not left to other vendors`() throws {
        let manifest = #"{"format-version": 1, "files": [{"file": "a.bin", "load_address": 0xC000},]}"#
        let zip = try PackageDraft.zip(manifest, [("a.bin", PackageDraft.image())])
        #expect {
            try MCUbootFile(package: zip)
        } throws: {
            ($0 as? SDKPackageError)?.code == .mcubootPackage.manifestInvalid
        }
        let other = try PackageDraft.zip(#"{"manifest": {"files": 1, "load_address": 2},}"#, [])
        #expect(try MCUbootFile(package: other) == nil)
    }

    @Test func `may leave a version empty`() throws {
        let file = try PackageDraft.package(
            #"{"file": "a.bin", "version_MCUBOOT": ""}"#, files: [("a.bin", PackageDraft.image())])
        #expect(file.findings(key: nil).isEmpty)
    }

    /// A manifest's entry, the code and the place of its error.
    static let broken: [(String, String, String?)] = [
        (#"{"size": 1}"#, "mcuboot-manifest-invalid", "files[0].file"),
        (#"{"file": ""}"#, "mcuboot-manifest-invalid", "files[0].file"),
        (#"{"file": "a/app.bin"}"#, "mcuboot-manifest-invalid", "files[0].file"),
        (#"{"file": "a\\app.bin"}"#, "mcuboot-manifest-invalid", "files[0].file"),
        (#"{"file": "..app.bin"}"#, "mcuboot-manifest-invalid", "files[0].file"),
        (#""app.bin""#, "mcuboot-manifest-invalid", "files[0]"),
        (#"{"file": "app.bin", "image_index": "first"}"#, "mcuboot-manifest-invalid", "files[0].image_index"),
        (#"{"file": "app.bin", "image_index": "-1"}"#, "mcuboot-manifest-invalid", "files[0].image_index"),
        (#"{"file": "app.bin", "image_index": 8}"#, "mcuboot-manifest-invalid", "files[0].image_index"),
        (
            #"{"file": "app.bin", "image_index": 99999999999999999999}"#, "mcuboot-manifest-invalid",
            "files[0].image_index"
        ),
        (#"{"file": "app.bin", "slot": "2"}"#, "mcuboot-manifest-invalid", "files[0].slot"),
        (#"{"file": "app.bin", "image": 2, "slot": "3"}"#, "mcuboot-manifest-invalid", "files[0].slot"),
        (
            #"{"file": "app.bin", "load_address": "0x100000000"}"#, "mcuboot-manifest-invalid",
            "files[0].load_address"
        ),
        (#"{"file": "app.bin", "file": "b.bin"}"#, "mcuboot-manifest-invalid", nil),
        (#"{"file": "b.bin"}"#, "entry-missing", "files"),
        (#"{"file": "app.bin"}, {"file": "app.bin", "image": 1}"#, "mcuboot-slot-twice", "files"),
        (#"{"file": "app.bin"}, {"file": "b.bin", "slot": 1}"#, "mcuboot-slot-twice", "files"),
        (#"{"file": "app.bin", "slot": 1}, {"file": "b.bin", "slot": 1}"#, "mcuboot-slot-twice", "files"),
        ("", "mcuboot-package-empty", "files"),
        (#"{"file": "app.bin", "type": "suit-envelope"}"#, "suit-package", nil),
        (#"{"file": "root.suit"}"#, "suit-package", nil),
    ]

    @Test(arguments: broken)
    func `with a broken manifest has an error with its place`(entry: String, code: String, field: String?)
        throws
    {
        let manifest = #"{"format-version": 1, "files": [\#(entry)]}"#
        let file = try PackageDraft.zip(manifest, [("app.bin", PackageDraft.image())])
        do throws(FirmwareFileError) {
            _ = try MCUbootVendor().recognise(file)
            Issue.record("no error")
        } catch {
            #expect(error.code.rawValue == code)
            #expect(error.finding.place == Finding.Place(entry: "manifest.json", field: field))
        }
    }

    @Test(arguments: ["2", "-1", #""1""#, "0.5", "null"])
    func `of an unknown format is refused`(version: String) throws {
        let file = try PackageDraft.zip(#"{"format-version": \#(version), "files": []}"#, [])
        #expect {
            try MCUbootVendor().recognise(file)
        } throws: {
            ($0 as? FirmwareFileError)?.code == .mcubootPackage.formatVersion
        }
    }

    @Test func `with a file that is no image names it`() throws {
        let entry = #"{"format-version": 1, "files": [{"file": "app.bin"}]}"#
        let damaged: [([UInt8], FailureCode)] = [
            ([], .mcubootFile.notAnImage), ([1, 2, 3, 4, 5], .mcubootFile.notAnImage),
            (PackageDraft.image().dropLast(), .file.fileTruncated),
            ([0xD8, 0x6B, 0xA2], .mcubootPackage.suit),
        ]
        for (bytes, code) in damaged {
            let file = try PackageDraft.zip(entry, [("app.bin", bytes)])
            #expect {
                try MCUbootVendor().recognise(file)
            } throws: {
                let error = $0 as? FirmwareFileError
                return error?.code == code && "\($0)".contains("app.bin")
            }
        }
    }

    @Test(arguments: [
        "{}", "[]", "", "{", #"{"manifest": {}}"#, #"{"manifest": {}, "files": [], "format-version": 1}"#,
        #"{"files": [}"#,
    ])
    func `is another vendor's if the manifest is`(manifest: String) throws {
        #expect(try MCUbootVendor().recognise(try PackageDraft.zip(manifest, [])) == nil)
    }

    @Test func `that is cut off at any byte is another vendor's error`() throws {
        let file = try PackageDraft.zip(
            #"{"format-version": 1, "files": [{"file": "app.bin"}]}"#, [("app.bin", PackageDraft.image())])
        for count in 2..<file.count {
            #expect(try MCUbootVendor().recognise(Array(file.prefix(count))) == nil)
        }
    }

    @Test func `with a flipped byte is read or has an error`() throws {
        let file = try PackageDraft.zip(
            #"{"format-version": 1, "files": [{"file": "app.bin", "slot": "1"}]}"#,
            [("app.bin", PackageDraft.image())])
        for index in file.indices {
            var damaged = file
            damaged[index] ^= 0x41
            if case .firmware(let content)? = try? MCUbootVendor().recognise(damaged) {
                _ = (content.inspection, content.findings(UpdateOptions()))
            }
        }
    }
}

@Suite struct `A finding in a package of the nRF Connect SDK` {
    private static func codes(_ entries: String, _ files: [(String, [UInt8])]) throws -> [FailureCode] {
        try PackageDraft.package(entries, files: files).releaseFindings(UpdateOptions(), for: nil).map(\.code)
            .filter { $0 != .mcubootFile.signatureUnchecked }
    }

    @Test func `is about a size or a version that differs`() throws {
        let files = [("app.bin", PackageDraft.image())]
        #expect(try Self.codes(#"{"file": "app.bin", "size": 1}"#, files) == [.mcubootPackage.sizeDiffers])
        for version in ["1.2.4", "1.2.3+1", "new"] {
            #expect(
                try Self.codes(#"{"file": "app.bin", "version_MCUBOOT": "\#(version)"}"#, files)
                    == [.mcubootPackage.versionDiffers])
        }
        #expect(try Self.codes(#"{"file": "app.bin", "version": "7"}"#, files) == [])
    }

    @Test func `is about files that are not named`() throws {
        #expect(
            try Self.codes(#"{"file": "app.bin"}"#, [("app.bin", PackageDraft.image()), ("key.pem", [1])])
                == [.mcubootPackage.unlisted])
    }

    @Test func `is about a missing slot or network core`() throws {
        let files = [("app.bin", PackageDraft.image())]
        #expect(try Self.codes(#"{"file": "app.bin", "slot": "1"}"#, files) == [.mcubootPackage.slotMissing])
        #expect(
            try Self.codes(#"{"file": "app.bin", "soc": "nRF5340"}"#, files)
                == [.mcubootPackage.networkCoreMissing])
    }

    @Test(arguments: [
        ([UInt8]([2, 0, 1, 0, 5, 0, 0, 0]), nil), ([2, 0, 1, 0, 0, 0, 0, 0], nil),
        ([2, 1, 0, 0, 0, 0, 0, 0], nil),
        ([2, 0, 0, 0, 9, 0, 0, 0], FailureCode.mcubootPackage.dependencyUnmet),
        ([1, 9, 9, 0, 0, 0, 0, 0], .mcubootPackage.dependencyUnmet),
    ])
    func `is about a dependency on a later image, whatever its build`(version: [UInt8], code: FailureCode?)
        throws
    {
        let found = try Self.codes(
            #"{"file": "app.bin", "image_index": "0"}, {"file": "net.bin", "image_index": "1"}"#,
            [("app.bin", ImageVectors.protected), ("net.bin", PackageDraft.image(version))])
        #expect(found == (code.map { [$0] } ?? []))
    }

    @Test func `is about a dependency that one variant does not meet`() throws {
        var needy = ImageDraft()
        needy.protected = [(0x40, [0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0])]
        let found = try Self.codes(
            #"{"file": "a.bin", "slot": "0"}, {"file": "b.bin", "slot": "1"}, {"file": "n.bin", "image_index": "1"}"#,
            [
                ("a.bin", PackageDraft.image([2, 0, 0, 0, 0, 0, 0, 0])), ("b.bin", PackageDraft.image()),
                ("n.bin", needy.bytes),
            ])
        #expect(found == [.mcubootPackage.dependencyUnmet, .mcubootPackage.variantsDiffer])
        // Alone it may be any image.
        let alone = MCUbootFile(try MCUbootImage(parsing: needy.bytes))
        #expect(alone.findings(key: nil).map(\.code) == [.mcubootPackage.dependencyOpen])
        #expect(
            try Self.codes(#"{"file": "n.bin"}"#, [("n.bin", needy.bytes)]) == [
                .mcubootPackage.dependencyUnmet
            ])
    }

    @Test func `is about a type that is not known`() throws {
        let files = [("app.bin", PackageDraft.image())]
        for type in [#""bin""#, #""modem""#, "5"] {
            #expect(
                try Self.codes(#"{"file": "app.bin", "type": \#(type)}"#, files) == [
                    .mcubootPackage.typeUnknown
                ])
        }
        for type in [#""application""#, "null"] {
            #expect(try Self.codes(#"{"file": "app.bin", "type": \#(type)}"#, files) == [])
        }
    }

    @Test func `is about a size that is written as text`() throws {
        let image = PackageDraft.image()
        #expect(
            try Self.codes(#"{"file": "app.bin", "size": "7"}"#, [("app.bin", image)])
                == [.mcubootPackage.sizeDiffers])
        #expect(
            try Self.codes(#"{"file": "app.bin", "size": "\#(image.count)"}"#, [("app.bin", image)]) == [])
    }

    @Test func `is the error of a manifest that contradicts itself`() throws {
        let image = [("app.bin", PackageDraft.image())]
        #expect(throws: SDKPackageError.field("files[0].image", "is 1, but image_index is 0")) {
            try PackageDraft.package(#"{"file": "app.bin", "image_index": "0", "image": 1}"#, files: image)
        }
        #expect(throws: SDKPackageError.listedTwice("app.bin")) {
            try PackageDraft.package(
                #"{"file": "app.bin"}, {"file": "app.bin", "image_index": "1"}"#, files: image)
        }
    }

    @Test func `about a bootloader says whether the application is there, too`() throws {
        let files = [("app.bin", PackageDraft.image()), ("b.bin", PackageDraft.image())]
        let both = try PackageDraft.package(
            #"{"file": "app.bin"}, {"file": "b.bin", "type": "mcuboot", "image_index": "1"}"#, files: files)
        let found = both.findings(key: nil).first { $0.code == .mcubootPackage.bootloader }
        #expect(found?.message.contains("also updates the bootloader") == true)
    }

    @Test func `without a build time has none`() throws {
        let image = try MCUbootImage(parsing: PackageDraft.image())
        let bytes = try SDKPackageRecipe([.init("app.bin", image)], time: 0).file()
        let file = try #require(try MCUbootFile(package: bytes))
        #expect(!"\(file.inspection)".contains("1970"))
    }
}
