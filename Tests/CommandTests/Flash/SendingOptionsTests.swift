import ArgumentParser
import Firmware
import Nordic
import TestSupport
import Testing
import UpdateModel

@testable import CommandKit
@testable import Dialog

@Suite struct `Settings of a family` {
    private static func family(_ settings: String) throws -> CatalogueFamily {
        let text = "{catalogue: 1, models: [{model: A, kind: suota, flash: {\(settings)}}]}"
        return try #require(try Catalogue(files: [("a.yaml", Array(text.utf8))]).families.first)
    }

    private static func options(_ own: [String], _ settings: String) throws -> SendingOptions {
        try SendingOptions.parse(own).completed(by: try family(settings))
    }

    private static func adopted<Options: VendorOptions>(
        _ type: Options.Type, _ options: SendingOptions
    ) throws -> Options {
        var all = UpdateOptions()
        try options.vendors.add(type, to: &all)
        return all[type]
    }

    private static func suota(_ options: SendingOptions) throws -> SUOTAPreferences {
        try adopted(SUOTAPreferences.self, options)
    }

    private static func receiptInterval(_ options: SendingOptions) throws -> Int? {
        try adopted(NordicOptions.self, options).receiptInterval
    }

    @Test func `that are refused name their option`() throws {
        let error = #expect(throws: (any Error).self) { try SendingOptions.parse(["--pins", "any"]) }
        let message = SendingOptions.message(for: try #require(error))
        #expect(message.hasPrefix("--pins: any is not key=value"), "\(message)")
    }

    @Test func `apply where the user has set nothing`() throws {
        let settings =
            "attempts: 7, prn: 0, pins: 'miso=P0_5,mosi=P0_6,cs=P0_3,sck=P0_0', bank: 2, "
            + "block_size: 240, chunk_size: 20, transport: gatt, await_signature: true"
        let options = try Self.options([], settings)
        let suota = try Self.suota(options)
        #expect(options.fruitlessLinks == 7 && suota.bank == .second)
        #expect(try Self.receiptInterval(options) == 0)
        #expect(suota.namesPins && suota.blockSize == 240 && suota.chunkSize == 20)
        #expect(suota.transport == .gatt && suota.awaitsSignature)
        let own = try Self.options(
            ["--attempts", "1", "--prn", "4", "--bank", "1", "--block-size", "128"], settings)
        let ownSUOTA = try Self.suota(own)
        #expect(own.fruitlessLinks == 1 && ownSUOTA.bank == .first && ownSUOTA.blockSize == 128)
        #expect(try Self.receiptInterval(own) == 4)
    }

    @Test(arguments: [
        [], ["--attempts", "2", "--prn", "4"],
        ["--no-resume", "--bootloader", "name:Dfu Targ", "--no-bootloader-name"],
    ])
    func `are arguments again, with those of the user`(_ own: [String]) throws {
        let options = try Self.options(own, "attempts: 7, bank: 2")
        let again = try SendingOptions.parse(options.arguments)
        #expect(again.attempts == options.attempts && again.arguments == options.arguments)
        #expect(again.arguments.contains("--bank") && Set(own).isSubset(of: again.arguments))
    }

    @Test func `give way as a whole to a profile and a transport set by the user`() throws {
        let settings = "pins: 'miso=P0_5,mosi=P0_6,cs=P0_3,sck=P0_0', bank: 2, block_size: 240"
        let profile = try Self.options(["--profile", "mine"], settings).vendors
        #expect(profile.given { _ in true }.map(\.name) == ["profile"])
        let channel = try Self.options(["--transport", "l2cap"], settings)
        #expect(try Self.suota(channel).blockSize == nil)
        #expect(
            try Self.suota(try Self.options(["--block-size", "20"], "transport: l2cap")).transport == nil)
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
