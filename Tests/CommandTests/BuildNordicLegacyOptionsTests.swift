import ArgumentParser
import Nordic
import Testing

@testable import CommandKit
@testable import FileCommands

@Suite struct `The options of build nordic-legacy` {
    @Test(arguments: [
        [], ["--application"], ["--application", "x", "--dfu-ver", "0.8"],
        ["--application", "x", "--dfu-ver", "0.9"], ["--application", "x", "--dev-type", "0x10000"],
        ["--application", "x", "--dev-revision", "65536"], ["--application", "x", "--dev-type", "-1"],
        ["--application", "x", "--dev-type", "0x-1"], ["--application", "x", "--dev-type", "none"],
        ["--application", "x", "--sd-req", "0x4F,"], ["--application", "x", "--sd-req", "none"],
        ["--application", "x", "--sd-req", "0x10000"],
        ["--application", "x", "--application-version", "0x100000000"],
        ["--application", "x", "--key-file", "k.pem", "--dfu-ver", "0.5"],
    ])
    func `are refused when they are wrong`(_ options: [String]) {
        #expect(throws: (any Error).self) { try BuildNordicLegacy.parse(["package.zip"] + options) }
    }

    @Test func `are those of adafruit-nrfutil`() throws {
        let options = try BuildNordicLegacy.parse([
            "--dev-type", "0x0052", "--dev-revision", "52840", "--application", "a.hex",
            "--application-version",
            "0xFFFFFFFF", "--bootloader", "b.bin", "--softdevice", "s.hex", "--sd-req", "0x4F,0x5A",
            "--dfu-ver",
            "0.8", "--key-file", "k.pem", "package.zip",
        ])
        #expect(options.package == "package.zip")
        #expect(options.devType?.value == 0x52 && options.devRevision?.value == 52840)
        #expect(options.applicationVersion?.value == .max)
        #expect(options.sdReq?.ids == [0x4F, 0x5A])
        #expect(options.dfuVer == .signedHash && options.keyFile == "k.pem")
        #expect(
            [options.application, options.bootloader, options.softdevice] == ["a.hex", "b.bin", "s.hex"])
    }
}
