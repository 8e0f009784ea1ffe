import Bytes
import TestSupport
import Testing
import UpdateModel

@testable import MCUboot

@Suite struct `A finding in an MCUboot image` {
    /// A change of a valid image, and the only finding beside that of the default one.
    struct Case: CustomTestStringConvertible, Sendable {
        let code: FailureCode
        let level: FindingLevel
        let draft: ImageDraft

        init(_ code: FailureCode, _ level: FindingLevel, _ change: (inout ImageDraft) -> Void) {
            (self.code, self.level) = (code, level)
            var draft = ImageDraft()
            change(&draft)
            self.draft = draft
        }

        var testDescription: String { code.rawValue }
    }

    static let cases = [
        Case(.mcubootFile.hashMissing, .error) { $0.hashes = 0 },
        Case(.mcubootFile.hashRepeated, .error) { $0.hashes = 2 },
        Case(.mcubootFile.unsigned, .warning) { $0.unprotected = [] },
        Case(.mcubootFile.tlvMalformed, .error) { $0.unprotected[1].value = [1, 2, 3] },
        Case(.mcubootFile.keyNotNamed, .warning) { $0.unprotected.removeFirst() },
        Case(.mcubootFile.tlvNotAllowed, .error) { $0.unprotected.append((0x50, [1, 0, 0, 0])) },
        Case(.mcubootFile.tlvNotAllowed, .error) { $0.unprotected.append((0xA0, [1])) },
        Case(.mcubootFile.tlvUnknown, .note) { $0.protected = [(0x7F, [1])] },
        Case(.mcubootFile.notBootable, .error) { $0.flags = 0x10 },
        Case(.mcubootFile.imageKeyMissing, .error) { $0.flags = 0x4 },
        Case(.mcubootFile.encrypted, .note) {
            $0.flags = 0x8
            $0.unprotected.append((0x32, [UInt8](repeating: 1, count: 129)))
        },
        Case(.mcubootFile.tlvsContradict, .error) {
            $0.protected = [(0x50, [1, 0, 0, 0]), (0x50, [2, 0, 0, 0])]
        },
        Case(.mcubootFile.tlvsContradict, .error) {
            $0.unprotected += [$0.unprotected[0], (0x20, [UInt8](repeating: 7, count: 256))]
        },
        Case(.mcubootFile.tlvsContradict, .error) {
            $0.unprotected.insert((0x02, [UInt8](repeating: 1, count: 44)), at: 0)
        },
        Case(.mcubootFile.tlvsContradict, .error) { $0.unprotected.append((0x25, [0])) },
        Case(.mcubootFile.tlvsContradict, .error) {
            $0.digest = .sha512
            $0.unprotected += [(0x25, [1]), (0x25, [1])]
        },
        Case(.mcubootFile.tlvsContradict, .error) {
            $0.unprotected[1] = (0x22, [UInt8](repeating: 7, count: 70))
            $0.unprotected.append((0x25, [1]))
        },
        // Pure Ed25519 goes with SHA-512 only, RSA with SHA-256 only.
        Case(.mcubootFile.tlvsContradict, .error) { $0.unprotected.append((0x25, [1])) },
        Case(.mcubootFile.tlvsContradict, .error) {
            $0.digest = .sha512
            $0.unprotected[1] = (0x20, [UInt8](repeating: 7, count: 256))
        },
        Case(.mcubootFile.tlvsContradict, .error) {
            $0.unprotected = Array([[(UInt16, [UInt8])]](repeating: $0.unprotected, count: 5).joined())
        },
        Case(.mcubootFile.tlvNotAllowed, .error) {
            $0.protected = [(0x10, [UInt8](repeating: 1, count: 32))]
        },
        Case(.mcubootFile.tlvNotAllowed, .error) {
            $0.protected = [(0x01, [UInt8](repeating: 1, count: 32))]
        },
        Case(.mcubootFile.tlvNotAllowed, .error) { $0.protected = [(0x25, [1])] },
        Case(.mcubootFile.tlvNotAllowed, .error) { $0.protected = [(0x22, [1])] },
        Case(.mcubootFile.hashNotListed, .note) {
            $0.digest = .sha384
            $0.unprotected[1] = (0x22, [UInt8](repeating: 7, count: 104))
        },
        Case(.mcubootFile.padded, .note) { $0.rest = [UInt8](repeating: 0, count: 64) },
        Case(.mcubootFile.defaultKey, .warning) {
            let hash = "b1d87d60173352b9a4808979790fc699fb4c4f83b49cf1970edd96ff4adc36a6"
            $0.unprotected[0].value = [UInt8](hex: hash)
        },
        Case(.mcubootFile.compressed, .note) {
            $0.flags = 0x400
            $0.protected = compressed
        },
        // A bootloader refuses the image if the hash of any key is longer than that of the image.
        Case(.mcubootFile.tlvsContradict, .error) {
            $0.unprotected =
                [$0.unprotected[0], $0.unprotected[1], (0x01, [UInt8](repeating: 2, count: 64))]
                + $0.unprotected
        },
        Case(.finding.unknownFlags, .note) { $0.flags = 0x8000_0001 },
        Case(.mcubootFile.versionZero, .warning) { $0.version = [UInt8](repeating: 0, count: 8) },
        Case(.file.emptyPayload, .error) { $0.body = [] },
        Case(.mcubootFile.padded, .note) { $0.rest = [0xFF, 0xFF] },
        Case(.mcubootFile.padded, .warning) {
            $0.rest = `The padding of an MCUboot image`.trailer(alignment: 8, isConfirmed: false)
        },
        Case(.mcubootFile.trailingBytes, .warning) { $0.rest = [0, 1, 2] },
        Case(.mcubootPackage.dependencyOpen, .note) {
            $0.protected = [(0x40, [1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0])]
        },
        Case(.mcubootFile.defaultKey, .warning) {
            let hash = "e30466f6b8470c1f29070b17f1e2d3e94d445e3f608087fdc711e4382bb538b6"
            $0.unprotected[0].value = [UInt8](hex: hash)
        },
    ]

    /// The TLVs of a compressed image: size, hash and signature of what is unpacked.
    private static let compressed: [(type: UInt16, value: [UInt8])] = [
        (0x70, [0, 16, 0, 0]), (0x71, [UInt8](repeating: 1, count: 32)),
        (0x72, [UInt8](repeating: 7, count: 64)),
    ]

    @Test(arguments: 0..<3) func `is about a compressed image that cannot be unpacked`(missing: Int) throws {
        var draft = ImageDraft()
        (draft.flags, draft.protected) = (0x400, Self.compressed)
        draft.protected.remove(at: missing)
        let found = MCUbootFile(try MCUbootImage(parsing: draft.bytes)).findings(key: nil)
        #expect(found.map(\.code) == [.mcubootFile.tlvsContradict, .mcubootFile.compressed])
    }

    @Test func `is about two compressions`() throws {
        var draft = ImageDraft()
        (draft.flags, draft.protected) = (0x600, Self.compressed)
        let found = MCUbootFile(try MCUbootImage(parsing: draft.bytes)).findings(key: nil)
        #expect(found.map(\.code) == [.mcubootFile.tlvsContradict, .mcubootFile.compressed])
    }

    @Test(arguments: cases) func `is the only one`(_ example: Case) throws {
        let file = MCUbootFile(try MCUbootImage(parsing: example.draft.bytes))
        let found = file.findings(key: nil)
        #expect(found.map(\.code) == [example.code])
        #expect(found.first?.level == example.level)
        #expect(found.first?.place.offset != nil)
    }

    @Test func `about a valid image is only for a release: nobody checked the signature`() throws {
        let file = MCUbootFile(try MCUbootImage(parsing: ImageDraft().bytes))
        #expect(file.findings(key: nil).isEmpty)
        #expect(
            file.releaseFindings(UpdateOptions(), for: nil).map(\.code) == [.mcubootFile.signatureUnchecked])
    }

    @Test(arguments: [
        (UInt32(4), UInt16(0x30), 256), (4, 0x31, 24), (4, 0x32, 113), (4, 0x33, 80), (4, 0x34, 112),
        (8, 0x30, 256), (8, 0x31, 40), (8, 0x32, 129), (8, 0x33, 96), (8, 0x34, 128),
    ])
    func `is about a key of the body with another length`(flags: UInt32, type: UInt16, bytes: Int) throws {
        for (count, code) in [
            (bytes, nil), (bytes - 1, FailureCode.mcubootFile.tlvMalformed),
            (bytes + 1, .mcubootFile.tlvMalformed),
        ] {
            var draft = ImageDraft()
            draft.flags = flags
            draft.unprotected.append((type, [UInt8](repeating: 1, count: count)))
            let found = MCUbootFile(try MCUbootImage(parsing: draft.bytes)).findings(key: nil)
            #expect(found.map(\.code) == [code, .mcubootFile.encrypted].compactMap(\.self))
        }
    }

    @Test func `is about two encryptions`() throws {
        var draft = ImageDraft()
        draft.flags = 0xC
        draft.unprotected.append((0x30, [UInt8](repeating: 1, count: 256)))
        let found = MCUbootFile(try MCUbootImage(parsing: draft.bytes)).findings(key: nil)
        #expect(found.map(\.code) == [.mcubootFile.tlvsContradict, .mcubootFile.encrypted])
    }

    @Test func `is not there for P-256 over a SHA-512, which some bootloaders take`() throws {
        var draft = ImageDraft()
        draft.digest = .sha512
        draft.unprotected[1] = (0x22, [UInt8](repeating: 7, count: 70))
        #expect(MCUbootFile(try MCUbootImage(parsing: draft.bytes)).findings(key: nil).isEmpty)
    }

    @Test func `about Ed25519 over a SHA-384 is an error beside the note`() throws {
        var draft = ImageDraft()
        draft.digest = .sha384
        let found = MCUbootFile(try MCUbootImage(parsing: draft.bytes)).findings(key: nil)
        #expect(found.map(\.code) == [.mcubootFile.tlvsContradict, .mcubootFile.hashNotListed])
    }

    @Test func `is there a few times of each sort, whatever the image has`() throws {
        var draft = ImageDraft()
        draft.unprotected += [(UInt16, [UInt8])](repeating: (0x1234, []), count: 10_000)
        #expect(MCUbootFile(try MCUbootImage(parsing: draft.bytes)).findings(key: nil).count == 8)
    }

    @Test func `says that the hash is wrong`() throws {
        var bytes = ImageVectors.protected
        bytes[40] ^= 1
        let found = MCUbootFile(try MCUbootImage(parsing: bytes)).findings(key: nil)
        #expect(found.firstError?.code == .mcubootFile.hashWrong)
    }

    @Test func `says whose signature it is`() throws {
        var options = UpdateOptions()
        options[MCUbootOptions.self].key = ImageVectors.keyOfEd25519
        func codes(_ bytes: [UInt8]) throws -> [FailureCode] {
            MCUbootFile(try MCUbootImage(parsing: bytes)).releaseFindings(options, for: nil).map(\.code)
        }
        #expect(try codes(ImageVectors.ed25519) == [])
        #expect(
            try codes(ImageVectors.protected) == [.mcubootFile.otherKey, .mcubootPackage.dependencyOpen])
        #expect(try codes(ImageVectors.unsigned) == [.mcubootFile.unsigned])
        var damaged = ImageVectors.ed25519
        damaged[damaged.count - 1] ^= 1
        #expect(try codes(damaged) == [.mcubootFile.signatureWrong])
    }

    @Test func `has a code with a rule, a summary and a next step`() {
        let codes = FailureCode.mcubootFile.codes + FailureCode.mcubootPackage.codes
        #expect(Set(codes).count == codes.count)
        for code in codes {
            #expect(code.rule != nil && !code.summary.isEmpty && !code.nextStep.parts.isEmpty, "\(code)")
        }
    }
}

@Suite(.enabled(if: ImageVectors.all != nil)) struct `The vectors of the bench for MCUboot` {
    private static func image(_ value: JSONValue) throws -> [UInt8] {
        if let hex = value["hex"]?.text { return try HexText.decode(hex) }
        let text = try #require(value["gzip_base64"]?.text)
        return try unpacked(try #require(PEMBlock.blocks(in: pem(text)).first?.bytes))
    }

    private static func pem(_ base64: String) -> String {
        let text = Array(base64)
        let lines = stride(from: 0, to: text.count, by: 64).map {
            String(text[$0..<min($0 + 64, text.count)])
        }
        return "-----BEGIN DATA-----\n\(lines.joined(separator: "\n"))\n-----END DATA-----\n"
    }

    /// The content of gzip: its stream, moved into a ZIP file.
    private static func unpacked(_ gzip: [UInt8]) throws -> [UInt8] {
        let stream = Array(gzip.dropFirst(10).dropLast(8))
        let sums = Array(gzip.suffix(8))
        let numbers = Array(sums.prefix(4)) + UInt32(stream.count).bytes() + Array(sums.suffix(4))
        let common: [UInt8] = [20, 0, 0, 0, 8, 0, 0, 0, 0x21, 0] + numbers + [1, 0, 0, 0]
        let local: [UInt8] = [0x50, 0x4B, 3, 4] + common + [0x61] + stream
        let directory: [UInt8] =
            [0x50, 0x4B, 1, 2, 20, 0] + common + [UInt8](repeating: 0, count: 14) + [0x61]
        let end: [UInt8] =
            [0x50, 0x4B, 5, 6, 0, 0, 0, 0, 1, 0, 1, 0] + UInt32(directory.count).bytes()
            + UInt32(local.count).bytes() + [0, 0]
        return try ZipReader(local + directory + end).contents(of: "a", atMost: 1 << 20)
    }

    private static func key(_ name: String?) throws -> SignatureKey? {
        guard let name else { return nil }
        let pem = try #require(ImageVectors.all?["keys"]?[name]?["public_pem"]?.text)
        let key: SignatureKey = try #require(SignatureKey(pem: pem))
        return key
    }

    @Test func `are read as imgtool reads them`() throws {
        guard case .object(let images)? = ImageVectors.all?["images"] else { return }
        #expect(images.count == 18)
        for (name, value) in images {
            let image = try MCUbootImage(parsing: try Self.image(value))
            let parsed = value["parsed"], header = parsed?["header"]
            #expect(ImageVersion(header?["version"]?.text ?? "") == image.header.version, "\(name)")
            #expect(header?["flags"]?.integer == Int(image.header.flags.rawValue), "\(name)")
            #expect(header?["load_addr"]?.integer == Int(image.header.loadAddress), "\(name)")
            #expect(parsed?["end_of_tlvs"]?.integer == image.end, "\(name)")
            #expect(parsed?["hashed_bytes"]?.integer == image.hashedBytes.count, "\(name)")
            for (area, tlvs) in [("protected", image.protectedTLVs), ("unprotected", image.unprotectedTLVs)] {
                #expect(
                    parsed?[area]?.list?.map { $0["value"]?.text } == tlvs.map { HexText.encode($0.value) },
                    "\(name)")
                #expect(tlvs.allSatisfy { $0.kind != nil || $0.isVendorDefined }, "\(name)")
            }
            #expect(image.hashMatches == (image.isEncrypted ? nil : true), "\(name)")
            if let key = try Self.key(value["key"]?.text) {
                #expect(image.verdict(by: key) == .valid, "\(name)")
                #expect(!image.findings(key: key).contains { $0.level == .error }, "\(name)")
            }
            #expect(image.padding.bytes == image.bytes.count - image.end)
            let isPadded = ["p256_pad", "p256_confirm", "p256_align16"].contains(name)
            if case .trailer(_, let alignment, let isConfirmed) = image.padding {
                #expect(isPadded && isConfirmed == (name != "p256_pad"))
                #expect(alignment == (name == "p256_align16" ? 16 : 8))
            } else {
                #expect(!isPadded)
            }
        }
    }

    @Test(arguments: [
        ("bit_in_body", "mcuboot-hash-wrong"), ("magic", "mcuboot-format-1"),
        ("bit_in_signature", "mcuboot-signature-wrong"), ("truncated", "file-truncated"),
        ("img_size", "file-truncated"), ("version_patched", "mcuboot-hash-wrong"),
    ])
    func `that are damaged have a precise error`(name: String, code: String) throws {
        let value = try #require(
            ImageVectors.all?["bad_images"]?.list?.first { $0["name"]?.text == name })
        let bytes = try Self.image(value)
        do throws(FirmwareFileError) {
            guard case .firmware(let file)? = try MCUbootVendor().recognise(bytes) else {
                Issue.record("\(name) is not recognised")
                return
            }
            var options = UpdateOptions()
            options[MCUbootOptions.self].key = try? Self.key("p256")
            #expect(file.findings(options).firstError?.id == code)
        } catch {
            #expect(error.code.rawValue == code)
            #expect(error.finding.place.field != nil)
        }
    }
}
