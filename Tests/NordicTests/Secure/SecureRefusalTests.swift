import TestSupport
import Testing
import UpdateModel

@testable import Nordic

@Suite struct `A refusal` {
    private func failure(_ step: Int, _ answer: String, isSigned: Bool = true) throws -> UpdateFailure? {
        var script = SecureScript(SecureSubject.firmware(8, isSigned: isSigned))
        #expect(try script.begin() == "subscribe")
        let rows: [(String, String)] = [
            ("done", "ask 020000"), ("600201", "ask 0601"), ("hold 512 0 0", "ask 01018c000000"),
            ("600101", "init 0..<140"), ("done", "ask 03"), ("init 140", "ask 04"), ("600401", "ask 0602"),
            ("hold 4096 0 0", "ask 010208000000"), ("600101", "send 0..<8"), ("done", "ask 03"),
            ("crc 8", "ask 04"),
        ]
        script.expect(Array(rows[...step]))
        _ = script.after(answer)
        return script.failure
    }

    @Test(
        arguments: [
            ("600402", "opcode-not-supported"), ("600403", "invalid-parameter"),
            ("600404", "insufficient-resources"), ("600405", "signature-invalid"),
            ("600407", "invalid-object"), ("600400", "unknown-result"), ("600406", "unknown-result"),
            ("6004ff", "unknown-result"), ("60040b", "unknown-result"), ("60040b00", "unknown-result"),
            ("60040b01", "unknown-result"), ("60040b02", "init-packet-invalid"),
            ("60040b03", "init-packet-invalid"), ("60040b04", "init-packet-invalid"),
            ("60040b05", "firmware-version-too-low"), ("60040b06", "hardware-version-mismatch"),
            ("60040b07", "softdevice-mismatch"), ("60040b08", "signature-missing"),
            ("60040b09", "hash-type-unsupported"), ("60040b0a", "hash-failed"),
            ("60040b0b", "signature-type-unsupported"), ("60040b0c", "image-hash-mismatch"),
            ("60040b0d", "insufficient-space"), ("60040bff", "unknown-result"),
        ]) func `of the init packet has a code of its own`(_ answer: String, _ code: String) throws
    {
        let failure = try #require(try failure(5, answer))
        #expect(failure.code.rawValue == code)
        #expect(failure.during == "checking the init packet")
        #expect(!failure.mayReconnect)
    }

    @Test func `of an unsigned package is named as such`() throws {
        #expect(try failure(5, "600405", isSigned: false)?.code.rawValue == "init-packet-refused")
        #expect(try failure(5, "60040b03", isSigned: false)?.code.rawValue == "signature-missing")
    }

    @Test(
        arguments: [
            (0, "600202", "opcode-not-supported"), (1, "600605", "invalid-object"),
            (1, "600607", "invalid-object"), (2, "600103", "invalid-parameter"),
            (2, "600104", "insufficient-resources"), (2, "600105", "invalid-object"),
            (6, "600605", "invalid-object"), (7, "600103", "invalid-parameter"),
            (7, "600104", "insufficient-resources"), (7, "600108", "operation-not-permitted"),
            (7, "60010a", "operation-failed"), (10, "60040a", "operation-failed"),
        ]) func `of any other request has its code too`(_ step: Int, _ answer: String, _ code: String) throws
    {
        #expect(try failure(step, answer)?.code.rawValue == code)
    }

    /// Up to the last Execute; `payload` 20 is that of an old target.
    private func lastExecute(payload: Int = 244) throws -> SecureScript {
        var script = SecureScript(SecureSubject.firmware(8))
        #expect(try script.begin(writing: payload) == "subscribe")
        let isOld = payload == 20
        script.expect([
            ("done", "ask 020000"), ("600201", "ask 0601"),
            ("hold \(isOld ? 256 : 512) 140 init", "ask 04"), ("600401", "ask 0602"),
            ("hold 4096 8 image", isOld ? "rest 250" : "ask 04"),
        ])
        if isOld { script.expect([("done", "ask 04")]) }
        return script
    }

    @Test func `of an image that flash did not hold sends it once more`() throws {
        var script = try lastExecute()
        script.expect([("60040b0c", "restart for image-hash-mismatch")])
        #expect(try script.begin() == "subscribe")
        script.expect([
            ("done", "ask 020800"), ("600201", "ask 0601"), ("hold 512 140 init", "ask 04"),
            ("600401", "ask 0602"),
            ("hold 4096 0 0", "ask 010208000000"), ("600101", "send 0..<8"), ("done", "ask 03"),
            ("crc 8", "ask 04"), ("60040b0c", "fail image-hash-mismatch"),
        ])
    }

    @Test(arguments: [(nil, true), (0, true), (12, true), (1, false)] as [(Int?, Bool)])
    func `of an image that flash did not hold recommends one packet at a time unless that is in force`(
        _ receipts: Int?, _ isAdvised: Bool
    ) throws {
        let procedure = SecureProcedure(SecureSubject.firmware(8), receiptInterval: receipts)
        let failure = UpdateFailure(
            FailureCode(named: "image-hash-mismatch"), during: "executing", message: "")
        let advice = procedure.remedy(for: failure)
        #expect((advice?.parts.contains(.option(.receiptInterval, "1")) ?? false) == isAdvised)
    }

    @Test func `of an image by an old bootloader without details sends it once more`() throws {
        var script = try lastExecute(payload: 20)
        script.expect([("600405", "restart for image-hash-mismatch")])
    }

    @Test func `of an image without flash details is tried again, and is final when the link ends`() throws {
        var script = try lastExecute()
        script.expect([("600405", "rest 1000")])
        guard case .refused(let failure) = script.procedure.disconnectMeaning else {
            Issue.record("\(script.procedure.disconnectMeaning)")
            return
        }
        #expect(failure.code.rawValue == "boot-validation-failed")
        script.expect([("done", "ask 04"), ("600405", "fail boot-validation-failed")])
        script = try lastExecute()
        script.expect([("600405", "rest 1000"), ("done", "ask 04"), ("600401", "complete")])
    }

    @Test(
        arguments: [
            ("60040b07", "S140 7.2.0 (0x100)"), ("60040b06", "hw_version 52"),
            ("60040b05", "the application version"),
            ("60040b0d", "fewer than 8 bytes"), ("600405", "the public key"),
            ("600404", "fewer than 8 bytes"),
        ])
    func `of the init packet has a hint for this package`(_ answer: String, _ words: String) throws {
        let remedy = try failure(5, answer)?.remedy
        #expect(try #require(remedy).description.contains(words))
    }

    @Test func `of a system part names the SoftDevices from which it starts`() {
        let image = SecureImage(
            initPacket: [1], bytes: [2], role: .softdeviceBootloader, isSigned: true, firmwareVersion: 2,
            hardwareVersion: 52, softDevices: [0x98, 0x9F])
        let refusal = SecureRefusal(result: 0x0B, extended: 0x07)
        let remedy =
            refusal.failure(of: .execute(.command, isLast: false), for: image).remedy?.description ?? ""
        #expect(remedy.contains("requires S132 4.0.2 (0x98) or S132 4.0.5 (0x9F)"))
        let version = SecureRefusal(result: 0x0B, extended: 0x05)
        #expect(
            version.failure(of: .execute(.command, isLast: false), for: image).remedy?
                .description.contains("the bootloader version above") == true)
    }

    @Test(
        arguments: [
            (.application, "is lower"), (.softdevice, "is lower"), (.bootloader, "is not higher"),
            (.softdeviceBootloader, "is not higher"),
        ] as [(FirmwareRole, String)])
    func `of a version names the one that this kind of part requires`(_ role: FirmwareRole, _ words: String) {
        let image = SecureImage(
            initPacket: [1], bytes: [2], role: role, isSigned: true, firmwareVersion: 2, hardwareVersion: 52,
            softDevices: [0x98])
        let failure = SecureRefusal(result: 0x0B, extended: 0x05)
            .failure(of: .execute(.command, isLast: false), for: image)
        #expect(failure.message.contains("version 2 \(words) than the installed one"))
    }

    @Test func `names the package's facts and the number`() throws {
        #expect(
            try failure(5, "60040b05")?.message
                == "the package's firmware version 7 is lower than the installed one"
                + " (result 0B, extended error 05)")
        #expect(
            try failure(5, "60040b06")?.message
                == "the package is for hardware 52, which is not the beacon's (result 0B, extended error 06)")
        #expect(
            try failure(5, "60040b07")?.message
                == "the beacon's SoftDevice is not in the package's list (0x98, 0x100)"
                + " (result 0B, extended error 07)")
        #expect(try failure(5, "60040b0d")?.message.contains("8 bytes") == true)
        #expect(try failure(7, "600104")?.message.hasSuffix("(result 04)") == true)
        #expect(try failure(5, "60040b")?.message.hasSuffix("(result 0B)") == true)
    }
}
