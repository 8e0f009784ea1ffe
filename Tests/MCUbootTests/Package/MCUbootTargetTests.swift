import Bytes
import TestSupport
import Testing
import UpdateModel

@testable import MCUboot

@Suite struct `A target with MCUboot` {
    private static let hash = "088366309850c7f4bcf8e053e115feac7ece3b80df2adacd18a9b5c5bb194a85"

    /// The verdict of a target with these facts, and with those that do not refuse.
    private static func verdict(
        _ facts: [String: String], of bytes: [UInt8] = ImageVectors.ed25519,
        by key: SignatureKey? = ImageVectors.keyOfEd25519
    ) throws -> FileVerdict {
        let common = ["slot_size": "0x4000", "key_hash": hash]
        let file = MCUbootFile(try MCUbootImage(parsing: bytes))
        var options = UpdateOptions()
        options[MCUbootOptions.self].key = key
        return FileVerdict(file.answers(of: TargetDevice(common.merging(facts) { $1 }), options))
    }

    private static func code(_ verdict: FileVerdict) -> String {
        if case .refused(let code, _, _) = verdict { code.rawValue } else { verdict.word }
    }

    /// The hash in the image, and that of another image.
    private static let own = "841b7154f78e0f28652c97bc057f7d4a1019828910f11fc8100e7bc3b2a4d01f"
    private static let other = String(repeating: "0", count: 64)

    static let cases: [([String: String], String)] = [
        ([:], "accepted"), (["slot_size": "475"], "insufficient-space"), (["slot_size": "476"], "undecided"),
        // 476 bytes and two sectors of 4096.
        (["slot_size": "8667"], "undecided"), (["slot_size": "8668"], "accepted"),
        (["slot_size": "476", "mode": "single-slot"], "accepted"),
        (["slot_size": "520", "mode": "swap-move"], "insufficient-space"),
        (["slot_size": "8667", "mode": "swap-move"], "undecided"),
        (["slot_size": "8668", "mode": "swap-move"], "accepted"),
        (["slot_size": "4571", "mode": "overwrite-only"], "undecided"),
        (["slot_size": "4572", "mode": "overwrite-only"], "accepted"),
        (["version": "1.2.3.4", "image_hash": own], "target-up-to-date"),
        (["version": "1.2.3.4"], "undecided"),
        (["version": "1.2.3.4", "image_hash": other], "undecided"),
        (["version": "1.2.3.4", "image_hash": other, "mode": "swap-move"], "accepted"),
        (["version": "1.2.3.4", "image_hash": other, "mode": "direct-xip"], "downgrade"),
        (["version": "1.2.3.4", "mode": "direct-xip"], "downgrade"),
        (["version": "1.2.3.4", "image_hash": own, "mode": "direct-xip"], "target-up-to-date"),
        (["version": "1.2.3.4", "image_hash": own, "mode": "swap-move"], "target-up-to-date"),
        (["version": "1.2.3"], "accepted"),
        (["version": "1.2.3", "mode": "direct-xip"], "downgrade"), (["version": "1.2.4"], "downgrade"),
        // Nobody knows for which slot it was linked.
        (["version": "1.1.9", "mode": "direct-xip"], "undecided"), (["mode": "direct-xip"], "undecided"),
        (["version": "new"], "undecided"), (["security_counter": "1"], "mcuboot-security-counter"),
        (["key_hash": String(repeating: "0", count: 64)], "mcuboot-other-key"),
        (["mode": "ram-load", "version": "1.0.0"], "mcuboot-mode-unfit"), (["board": "any"], "accepted"),
    ]

    @Test(arguments: cases) func `accepts an image, or says why not`(facts: [String: String], code: String)
        throws
    {
        #expect(Self.code(try Self.verdict(facts)) == code)
    }

    @Test func `whose key is not the given one needs its own`() throws {
        let p256 = try #require(P256PrivateKey(scalar: SampleKeys.p256))
        var draft = ImageDraft()
        let signature = try ImageSigner.p256(p256).signature(of: draft.hashed, digest: draft.hash)
        // The second signature is anything, and the one that the bootloader checks.
        draft.unprotected = [
            (0x01, SHA2.sha256.digest(p256.publicKey.der)), (0x22, signature),
            (0x01, [UInt8](repeating: 2, count: 32)), (0x22, [0x30, 6, 2, 1, 1, 2, 1, 1]),
        ]
        let key = try #require(SignatureKey(der: p256.publicKey.der))
        let own = HexText.encode(SHA2.sha256.digest(key.der))
        #expect(try Self.verdict(["key_hash": own], of: draft.bytes, by: key).word == "accepted")
        #expect(
            try Self.verdict(["key_hash": String(repeating: "02", count: 32)], of: draft.bytes, by: key)
                == .undecided(["the public key with this key_hash"]))
    }

    @Test func `of a compressed image has room for what is unpacked`() throws {
        var draft = ImageDraft()
        draft.flags = 0x400
        draft.protected = [
            (0x70, [0, 0x40, 0, 0]), (0x71, [UInt8](repeating: 1, count: 32)),
            (0x72, [UInt8](repeating: 7, count: 64)),
        ]
        let hash = String(repeating: "01", count: 32)
        for (slot, known) in [("0x401f", false), ("0x4020", true)] {
            let facts = ["slot_size": slot, "mode": "overwrite-only", "version": "1.0.0", "key_hash": hash]
            guard case .undecided(let missing) = try Self.verdict(facts, of: draft.bytes, by: nil) else {
                Issue.record("the target decides")
                continue
            }
            #expect((missing == ["public-key"]) == known)
        }
    }

    @Test func `with direct-XIP takes an image that names its slot, and none that is encrypted`() throws {
        let facts = [
            "version": "1.0.0", "mode": "direct-xip", "key_hash": String(repeating: "01", count: 32),
        ]
        var draft = ImageDraft()
        (draft.flags, draft.loadAddress) = (0x100, 0xC000)
        #expect(try Self.verdict(facts, of: draft.bytes, by: nil) == .undecided(["public-key"]))
        (draft.flags, draft.loadAddress) = (0x20, 0x2000_0000)
        #expect(Self.code(try Self.verdict(facts, of: draft.bytes, by: nil)) == "mcuboot-mode-unfit")
        draft.flags = 0x4
        draft.unprotected.append((0x30, [UInt8](repeating: 1, count: 256)))
        // A code of its own: the gate leaves out what it says of the content already, which is only a note.
        #expect(Self.code(try Self.verdict(facts, of: draft.bytes, by: nil)) == "mcuboot-mode-unfit")
    }

    @Test func `compares the security counter of the image`() throws {
        let key = "0b155072ec0caa12352eeb6c1e20088e4bc39766208430232a756fef7b23f1c5"
        for (counter, code) in [("7", "accepted"), ("8", "mcuboot-security-counter"), ("0", "accepted")] {
            let facts = ["security_counter": counter, "key_hash": key]
            #expect(
                Self.code(
                    try Self.verdict(facts, of: ImageVectors.protected, by: ImageVectors.keyOfProtected))
                    == code)
        }
        #expect(
            Self.code(
                try Self.verdict(
                    ["key_hash": key], of: ImageVectors.protected, by: ImageVectors.keyOfProtected))
                == "undecided")
        #expect(Self.code(try Self.verdict([:], of: ImageVectors.unsigned)) == "mcuboot-unsigned")
    }

    @Test func `needs to be known where its bootloader decides`() throws {
        let file = MCUbootFile(try MCUbootImage(parsing: ImageVectors.ed25519))
        #expect(
            FileVerdict(file.answers(of: TargetDevice(), UpdateOptions()))
                == .undecided(["slot_size", "public-key"]))
    }

    @Test func `does not accept a signature that nobody checked`() throws {
        #expect(try Self.verdict([:], by: nil) == .undecided(["public-key"]))
        #expect(
            Self.code(try Self.verdict(["key_hash": String(repeating: "0", count: 64)], by: nil))
                == "mcuboot-other-key")
        var damaged = ImageVectors.ed25519
        damaged[damaged.count - 1] ^= 1
        #expect(Self.code(try Self.verdict([:], of: damaged)) == "mcuboot-signature-wrong")
    }

    @Test func `is judged by both variants of an image, if it may get either`() throws {
        let file = try PackageDraft.package(
            #"{"file": "a.bin", "slot": "0"}, {"file": "b.bin", "slot": "1"}"#,
            files: [
                ("a.bin", PackageDraft.image()), ("b.bin", PackageDraft.image([1, 2, 0, 0, 0, 0, 0, 0])),
            ])
        func codes(_ mode: String) -> [FailureCode] {
            let facts = ["slot_size": "0x4000", "version": "1.2.1", "mode": mode]
            return file.answers(of: TargetDevice(facts), UpdateOptions()).compactMap {
                if case .refuse(let id, _, _) = $0 { id } else { nil }
            }
        }
        #expect(codes("direct-xip") == [.finding.downgrade])
        #expect(codes("swap-move") == [])
        #expect(file.findings(key: nil).map(\.code) == [.mcubootPackage.variantsDiffer])
    }

    @Test func `is of the board that the package names`() throws {
        let file = try PackageDraft.package(
            #"{"file": "app.bin", "board": "lantern/nrf52840", "soc": "nrf52840"}"#,
            files: [("app.bin", PackageDraft.image())])
        func isRefused(_ board: String) -> Bool {
            file.answers(of: TargetDevice(["board": board]), UpdateOptions()).contains {
                if case .refuse(let id, _, _) = $0 { id == .finding.wrongDevice } else { false }
            }
        }
        #expect(!isRefused("lantern") && !isRefused("Lantern/nRF52840") && !isRefused("nrf52840"))
        #expect(isRefused("lamp") && isRefused("lant"))
        let model = DeviceModel(name: "L1", kind: .mcuboot, facts: TargetDevice(["board": "lamp"]))
        #expect(file.mismatch(with: model)?.code == .finding.catalogueMismatch)
        #expect(!file.names(model))
        #expect(
            file.names(DeviceModel(name: "L2", kind: .mcuboot, facts: TargetDevice(["board": "lantern"]))))
    }

    @Test func `takes a variant only where its bootloader starts it`() throws {
        let file = try PackageDraft.package(
            #"{"file": "a.bin", "slot": "0"}, {"file": "b.bin", "slot": "1"}"#,
            files: [
                ("a.bin", PackageDraft.variant(at: 0xC000)), ("b.bin", PackageDraft.variant(at: 0x2_0000)),
            ])
        let second = try PackageDraft.package(
            #"{"file": "b.bin", "slot": "1"}"#, files: [("b.bin", PackageDraft.image())])
        let facts = ["slot_size": "0x4000", "version": "1.0.0"]
        func verdict(_ mode: String, of file: MCUbootFile) -> FileVerdict {
            FileVerdict(file.answers(of: TargetDevice(facts.merging(["mode": mode]) { $1 }), UpdateOptions()))
        }
        let unchecked = FileVerdict.undecided(["public-key"])
        #expect(verdict("direct-xip", of: file) == unchecked)
        #expect(verdict("direct-xip-revert", of: file) == unchecked)
        // The update takes the variant for slot 0 there.
        #expect(verdict("swap-move", of: file) == unchecked)
        #expect(Self.code(verdict("swap-move", of: second)) == "mcuboot-mode-unfit")
        #expect(Self.code(verdict("single-slot", of: file)) == "mcuboot-mode-unfit")
    }
}

@Suite struct `What is sent of an MCUboot file` {
    @Test func `is the image without padding, unless a variant needs its trailer`() throws {
        let trailer = `The padding of an MCUboot image`.trailer(alignment: 8, isConfirmed: false)
        let image = PackageDraft.image()
        let alone = MCUbootFile(try MCUbootImage(parsing: image + trailer))
        #expect(alone.uploads.map(\.bytes) == [image])
        let variants = try PackageDraft.package(
            #"{"file": "a.bin", "slot": "0"}, {"file": "b.bin", "slot": "1"}"#,
            files: [("a.bin", image + trailer), ("b.bin", image + [0xFF])])
        #expect(variants.uploads.map(\.bytes) == [image + trailer, image])
    }

    @Test func `has a plan only without errors`() throws {
        var draft = ImageDraft()
        draft.hashes = 0
        let file = MCUbootFile(try MCUbootImage(parsing: draft.bytes))
        #expect(file.uploads.isEmpty)
        #expect {
            try file.plan(UpdateOptions())
        } throws: {
            if case .file(let finding)? = $0 as? PlanRefusal {
                finding.code == .mcubootFile.hashMissing
            } else {
                false
            }
        }
    }

    @Test func `is named by its hash`() throws {
        let file = MCUbootFile(try MCUbootImage(parsing: ImageVectors.ed25519))
        #expect(file.identity?.compared == file.uploads.first?.hash)
        #expect(file.findings(onName: "app-1.2.3.bin") == [])
        #expect(file.findings(onName: "app-1.2.4.bin") == nil)
        #expect(file.findings(onName: "app-11.2.3.bin") == nil)
    }
}
