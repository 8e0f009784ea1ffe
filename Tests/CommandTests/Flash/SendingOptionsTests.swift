import ArgumentParser
import Dialog
import Firmware
import TestSupport
import Testing

@testable import CommandKit

@Suite struct `Settings of a family` {
    private static func family(_ settings: String) throws -> CatalogueModel {
        let text = "{catalogue: 1, models: [{model: A, kind: suota, flash: {\(settings)}}]}"
        return try #require(try Catalogue(files: [("a.yaml", Array(text.utf8))]).models.first)
    }

    private static func options(_ own: [String], _ settings: String) throws -> SendingOptions {
        try SendingOptions.parse(own).completed(by: try family(settings))
    }

    @Test func `apply where the user has set nothing`() throws {
        let settings =
            "attempts: 7, prn: 0, pins: 'miso=P0_5,mosi=P0_6,cs=P0_3,sck=P0_0', bank: 2, "
            + "block_size: 240, chunk_size: 20, transport: gatt, await_signature: true"
        let options = try Self.options([], settings)
        #expect(options.timeout == 7 && options.prn == 0 && options.suota.bank == 2)
        #expect(options.suota.pins != nil && options.suota.blockSize == 240 && options.suota.chunkSize == 20)
        #expect(options.suota.transport == .gatt && options.suota.awaitSignature)
        let own = try Self.options(
            ["--attempts", "1", "--prn", "4", "--bank", "1", "--block-size", "128"], settings)
        #expect(own.timeout == 1 && own.prn == 4 && own.suota.bank == 1 && own.suota.blockSize == 128)
    }

    @Test func `give way as a whole to a profile and a transport set by the user`() throws {
        let settings = "pins: 'miso=P0_5,mosi=P0_6,cs=P0_3,sck=P0_0', bank: 2, block_size: 240"
        let profile = try Self.options(["--profile", "mine"], settings).suota
        #expect(profile.pins == nil && profile.bank == nil && profile.blockSize == nil)
        #expect(try Self.options(["--transport", "l2cap"], settings).suota.blockSize == nil)
        #expect(try Self.options(["--block-size", "20"], "transport: l2cap").suota.transport == nil)
    }

    @Test(arguments: [
        "attempts: 0", "prn: many", "bank: 3", "pins: P9", "transport: air", "await_signature: often",
    ])
    func `are refused if a value is invalid`(setting: String) throws {
        let family = try Self.family(setting)
        let failure = #expect(throws: CommandFailure.self) { try SendingOptions.settings(of: family) }
        #expect(failure?.code == "catalogue-invalid")
        #expect(failure?.message.hasPrefix("a.yaml: line 1") == true, "\(failure?.message ?? "")")
    }
}
