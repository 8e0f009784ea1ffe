import Firmware
import TestSupport
import Testing

@testable import CommandKit

@Suite struct `The update settings of a family` {
    private static func flaws(_ flash: String, _ rest: String = "kind: suota") throws -> [CatalogueFinding] {
        let text = "catalogue: 1\nmodels:\n  - model: A\n    \(rest)\n    flash: {\(flash)}\n"
        let path = Samples.root + "/manifests/a.yaml"
        return try Catalogue(files: [(path, Array(text.utf8))]).families.flatMap(\.settingFlaws)
    }

    private static let blinker = """
        kind: nordic-secure
            firmware:
              - version: 1
                file: ../firmware-samples/nordic/blinker-1.0.0.zip
                sha256: 9e4d820aab7f5debe1802da1902d9fbb40a542fcb566f99d05a5467d69aef4e7
        """

    @Test(arguments: [
        "", "bank: 2, block_size: 240", "await_signature: true", "await_signature: false",
        "pins: 'miso=P0_5,mosi=P0_6,cs=P0_3,sck=P0_0'", "transport: l2cap", "attempts: 3",
    ])
    func `are those that flash accepts`(flash: String) throws {
        #expect(try Self.flaws(flash) == [])
    }

    @Test(arguments: [
        ("bank: 3", 19, "--bank is 0, 1 or 2"), ("bank: false", 19, "bank"),
        ("pins: none", 19, "pins"),
        ("attempts: 0", 23, "--attempts is at least 1"), ("prn: many", 18, "prn"),
        ("await_signature: 5", 30, "await_signature"),
        ("transport: usb", 24, "--transport is gatt or l2cap"),
        ("profile: nobody", 22, "has no profile 'nobody'"),
        ("transport: l2cap, chunk_size: 20", 24, "--transport gatt"),
        ("packet_size: 19", 26, "--packet-size is a number of bytes from 20 to 512"),
        ("interval: 5", 23, "--interval"), ("bootloader: 'name:'", 25, "--bootloader is an address"),
    ])
    func `are a finding if flash would refuse them`(flash: String, column: Int, words: String) throws {
        let flaw = try #require(try Self.flaws(flash).first)
        #expect(flaw.code == "catalogue-setting-invalid")
        #expect((flaw.place.line, flaw.place.column) == (5, column))
        #expect(flaw.message.contains(words), "\(flaw.message)")
        #expect(!flaw.message.contains("\n"), "\(flaw.message)")
    }

    @Test func `are a finding if they have no effect on the packages`() throws {
        #expect(try Self.flaws("prn: 8", Self.blinker) == [])
        let choices =
            "bootloader: 'name:Dfu*', bootloader_timeout: 60, packet_size: 100, no_resume: true, "
            + "connect_timeout: 30, interval: 7.5, no_bootloader_name: true"
        #expect(try Self.flaws(choices, Self.blinker) == [])
        #expect(try Self.flaws("bootloader_name: Bench", Self.blinker) == [])
        let flaw = try #require(try Self.flaws("bank: 2", Self.blinker).first)
        #expect(flaw.message.contains("--bank: no effect on a file of kind nordic-secure"), "\(flaw.message)")
    }
}
