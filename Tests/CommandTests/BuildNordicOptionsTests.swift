import ArgumentParser
import Nordic
import Testing

@testable import CommandKit
@testable import FileCommands

@Suite struct `The options of build nordic` {
    private static let needed = ["--hw-version", "52", "--sd-req", "0x98"]
    private static let whole = needed + ["--application", "app.hex", "--application-version", "1"]

    private static let contradictions: [([String], String)] = [
        (needed, "an image (--application, --bootloader or --softdevice <file>)"),
        (
            needed + [
                "--application", "app.hex", "--application-version", "1", "--bootloader", "app.hex",
            ],
            "two packages"
        ),
        (needed + ["--application", "app.hex"], "--application-version"),
        (needed + ["--bootloader", "app.hex"], "--bootloader-version"),
        (needed + ["--softdevice", "sd.hex", "--application-version", "1"], "needs --application"),
        (needed + ["--application", "app.hex", "--application-version", "0xFFFFFFFF"], "no later version"),
        (["--application", "app.hex", "--application-version", "1", "--sd-req", "0x98"], "--hw-version"),
        (["--application", "app.hex", "--application-version", "1", "--hw-version", "52"], "--sd-req"),
        (whole + ["--application-version-string", "1.0.0"], "not both"),
        (whole + ["--sd-id", "0x98"], "needs --softdevice"),
        (whole + ["--app-boot-validation", "VALIDATE_ECDSA_P256_SHA256"], "needs --key-file"),
        (whole + ["--sd-boot-validation", "NO_VALIDATION"], "needs --softdevice"),
        (
            whole + ["--softdevice", "s.hex", "--sd-boot-validation", "VALIDATE_ECDSA_P256_SHA256"],
            "needs --key-file"
        ),
        (
            needed + ["--softdevice", "s.hex", "--app-boot-validation", "NO_VALIDATION"],
            "--app-boot-validation needs --application"
        ),
        (whole + ["--bootloader-version", "1"], "--bootloader-version needs --bootloader"),
        (needed + ["--bootloader", "b.hex", "--bootloader-version", "0xFFFFFFFF"], "no later version"),
        (whole + ["--softdevice", "s.hex", "--external-app"], "no other image"),
        (
            needed + ["--bootloader", "b.hex", "--bootloader-version", "1", "--external-app"],
            "needs --application"
        ),
        (["--softdevice", "sd.hex", "--external-app"] + needed, "needs --application"),
        (whole + ["--app-boot-validation", "crc"], "VALIDATE_GENERATED_CRC"),
        (
            needed + ["--application", "app.hex", "--application-version-string", "1.100.0"],
            "application-version-string"
        ),
        (needed + ["--application", "app.hex", "--application-version", "010"], "application-version"),
        (["--hw-version", "52", "--sd-req", "0x10000"] + whole.suffix(4), "sd-req"),
        (["--hw-version", "52", "--sd-req", "0x98,"] + whole.suffix(4), "sd-req"),
        (["--hw-version", "52", "--sd-req", "s999_1.0.0"] + whole.suffix(4), "sd-req"),
    ]

    @Test(arguments: contradictions)
    func `are refused where they contradict each other`(_ arguments: [String], _ word: String) {
        do {
            _ = try BuildNordic.parse(["out.zip"] + arguments)
            Issue.record("taken")
        } catch {
            #expect(
                BuildNordic.fullMessage(for: error).contains(word), "\(BuildNordic.fullMessage(for: error))")
        }
    }

    @Test func `are listed together if several are missing`() {
        let error = #expect(throws: (any Error).self) {
            try BuildNordic.parse(["out.zip", "--application", "a.hex"])
        }
        let message = error.map { BuildNordic.message(for: $0) } ?? ""
        for option in ["--application-version <number>", "--hw-version <number>", "--sd-req <list>"] {
            #expect(message.contains(option), "\(message)")
        }
    }

    @Test func `are read as nrfutil reads them`() throws {
        let command = try BuildNordic.parse(
            ["out.zip"] + Self.whole + ["--app-boot-validation", "NO_VALIDATION", "--key-file", "key.pem"])
        #expect(command.conditions.hardware == 52)
        #expect(command.conditions.sdReq?.ids == [0x98])
        #expect(command.images.appBootValidation?.check == .nothing)
        _ = try BuildNordic.parse(["out.zip", "--application", "app.hex", "--debug-mode"])
        _ = try BuildNordic.parse(
            ["out.zip", "--external-app", "--hw-version", "52"] + Self.whole.suffix(4))
        #expect(BootCheckName.allCases.map(\.check) == [.nothing, .crc, .sha256, .signature])
        #expect(VersionText(argument: "1.0.100") == nil && VersionText(argument: "1.99.99")?.value == 19999)
        #expect(VersionText(argument: "2.7.31")?.value == 20731)
        #expect(VersionText(argument: "429496.0.0")?.value == nil)
        #expect(VersionText(argument: "429495.99.99")?.value == 4_294_959_999)
        #expect(VersionText(argument: "1.2")?.value == nil)
        #expect(VersionText(argument: "1.2.-3")?.value == nil)
        #expect(WholeNumber<UInt32>(argument: "0")?.value == 0)
        #expect(WholeNumber<UInt32>(argument: "4294967296") == nil)
        #expect(WholeNumber<UInt32>(argument: "0x") == nil)
        #expect(SoftDeviceList(argument: "0xB6,182,s140_nrf52_7.2.0")?.ids == [0xB6, 182, 0x100])
    }
}
