import TestSupport
import Testing
import UpdateModel

@testable import Dialog

@Suite struct `Before the first byte, a SUOTA update` {
    private func script(
        _ family: HeaderFamily = .da1458x, _ change: (inout SUOTAPreferences) -> Void = { _ in }
    ) throws -> SUOTAScript {
        var preferences = SUOTAPreferences()
        change(&preferences)
        return try SUOTAScript(SUOTASubject.image(family), preferences)
    }

    @Test func `refuses an image that no device would start`() throws {
        let sound = try SUOTASubject.image()
        let damaged: [(Int, UInt8, String)] = [
            (100, 0x55, "image-crc-mismatch"), (8, 0x55, "image-crc-mismatch"),
        ]
        for (place, flip, code) in damaged {
            var bytes = sound.bytes
            bytes[place] ^= flip
            var script = try SUOTAScript(SUOTAImage(parsing: bytes))
            #expect(script.begin() == "fail \(code)")
        }
        var script = try SUOTAScript(SUOTAImage(parsing: sound.bytes + [0]))
        #expect(script.begin() == "fail trailing-bytes")
        script = try SUOTAScript(
            SUOTAImage(
                parsing: Array(sound.header.bytes.prefix(4)) + [0, 0, 0, 0]
                    + Array(sound.header.bytes.dropFirst(8))))
        #expect(script.begin() == "fail empty-payload")
    }

    @Test(arguments: [ImageBank.first, .second])
    func `needs the named risk to overwrite the running image`(_ bank: ImageBank) throws {
        var script = try script { $0.bank = bank }
        #expect(script.begin() == "fail running-bank-risk")
        #expect(script.failure?.message.contains("no image left to start") == true)
        #expect(script.failure?.remedy?.description.contains("the accepted risk running-bank") == true)
        script = try self.script(.da1468x) { $0.bank = bank }
        script.reachBlocks()
    }

    @Test func `refuses what does not fit the known bank`() throws {
        var script = try script { $0.bankLimit = 1023 }
        #expect(script.begin() == "fail image-too-large")
        script = try self.script(.da1468x) { $0.bankLimit = 1023 }
        #expect(script.begin() == "fail image-too-large")
        script = try self.script { $0.bankLimit = 1024 }
        script.reachBlocks()
    }

    @Test func `refuses an EEPROM for families that have none`() throws {
        var script = try script(.da1469x) { $0.pins = .vendorI2C }
        #expect(script.begin() == "fail memory-type-refused")
    }

    @Test(
        arguments: [
            (HeaderFamily.da1458x, "DA14585", nil), (.da1458x, "da14531-00", nil), (.da1458x, "Tag", nil),
            (.da1458x, "DA14695", "DA1469x"), (.da1468x, "Dialog DA1468x", nil),
            (.da1468x, "DA14580", "DA1458x, DA1453x"),
            (.da1469x, "DA1468x", "DA1468x"), (.da1469x, "DA1469x-DA14531", nil), (.da1469x, "DA14", nil),
            (.da1469x, "DA14601", nil),
        ] as [(HeaderFamily, String, String?)])
    func `refuses an image for another chip than the device reports`(
        _ family: HeaderFamily, _ model: String, _ other: String?
    ) throws {
        let device = ["model": [UInt8](model.utf8).hex]
        var script = try script(family)
        let command = script.identify(device)
        #expect(command == (other == nil ? "subscribe" : "fail wrong-family"))
        if let other { #expect(script.failure?.message.contains("which is a \(other);") == true) }
        script = try self.script(family) { $0.risks = [.wrongFamily] }
        #expect(script.identify(device) == "subscribe")
    }

    @Test func `refuses an image of another family if the device reports its own`() throws {
        var script = try script()
        #expect(script.identify(SUOTASubject.da1468x) == "fail wrong-family")
        script = try self.script(.da1469x)
        script.reachBlocks(SUOTASubject.sdk6, length: 488, "send 0..<488 by 244")
    }

    @Test(
        arguments: [
            ("firmware revision", "1.2.3"), ("software revision", "1.2.3"), ("firmware revision", "v_1.2.3"),
            ("software revision", "v1.2.3\0"),
        ])
    func `refuses the version that the device runs, unless that is allowed`(_ name: String, _ text: String)
        throws
    {
        let device = [name: Array(text.utf8).hex]
        var script = try script()
        #expect(script.identify(device) == "fail same-version")
        #expect(script.failure?.remedy?.description.contains("the accepted risk same-version") == true)
        script = try self.script { $0.risks = [.sameVersion] }
        script.reachBlocks(device)
        let codes = script.takeNotices().compactMap { notice -> String? in
            if case .warning(let code, _) = notice { code.rawValue } else { nil }
        }
        #expect(codes == ["same-version"])
    }

    @Test(arguments: ["1.2.30", "1.2", "", "x1.2.3"])
    func `does not confuse a different version with the running one`(_ text: String) throws {
        var script = try script()
        script.reachBlocks(["firmware revision": Array(text.utf8).hex, "model": Array("1.2.3".utf8).hex])
    }

    @Test func `uses the version that the user names`() throws {
        var script = try script { $0.versionText = "R7" }
        #expect(script.identify(["firmware revision": Array("R7".utf8).hex]) == "fail same-version")
        #expect(script.procedure.expectedVersion == ExpectedVersion(text: "R7"))
    }

    @Test func `warns of requested blocks that the device may not accept`() throws {
        var script = try script { $0.blockSize = 512 }
        script.reachBlocks(length: 512, "send 0..<512 by 20")
        #expect(warnings(&script) == ["block-may-be-refused"])
        script = try self.script { $0.blockSize = 272 }
        script.reachBlocks(["version": "0d"], length: 272, "send 0..<272 by 20")
        #expect(warnings(&script) == ["lone-trailer"])
        script = try self.script { $0.blockSize = 600 }
        #expect(script.identify() == "fail block-size-invalid")
        script = try self.script { $0.chunkSize = 21 }
        #expect(script.identify() == "fail chunk-size-invalid")
        // A DA1468x before 1.3 accepts 120, but does not report it.
        for (size, command) in [(120, "subscribe"), (121, "fail chunk-size-invalid")] {
            script = try self.script(.da1468x) { $0.chunkSize = size }
            #expect(script.identify() == command)
        }
    }

    private func warnings(_ script: inout SUOTAScript) -> [String] {
        script.takeNotices().compactMap { if case .warning(let code, _) = $0 { code.rawValue } else { nil } }
    }
}
