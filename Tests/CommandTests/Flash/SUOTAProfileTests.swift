import ArgumentParser
import Bytes
import Foundation
import TestSupport
import Testing
import UpdateModel

@testable import CommandKit
@testable import Dialog

@Suite struct `Profiles of SUOTA devices` {
    private static let manifest = Samples.root + "/manifests/profiles/suota.yaml"

    private func reading(_ text: String) throws(YAMLProblem) -> [SUOTAProfile] {
        try SUOTAProfile.reading(Array(text.utf8))
    }

    private func preferences(_ words: [String]) throws -> SUOTAPreferences {
        var options = UpdateOptions()
        try SendingOptions.parse(words).vendors.add(SUOTAPreferences.self, to: &options)
        return options[SUOTAPreferences.self]
    }

    @Test func `are shipped with the project, including Feasycom's`() throws {
        let text = try FileContent(path: Self.manifest).bytes
        let profile = try SUOTAProfile.named("feasycom", in: text)
        #expect(profile.pins.bytes == [0x04, 0x01, 0x00, 0x03])
        #expect(profile.bank == .second)
        #expect(profile.blockSize == 240)
        #expect(!profile.checksSignature)
        #expect(try SUOTAProfile.named("dialog-spi", in: text).pins == .vendorSPI)
        #expect(try SUOTAProfile.named("dialog-i2c", in: text).pins == .vendorI2C)
    }

    @Test func `have every key of their page`() throws {
        let profiles = try reading(
            """
            profiles: 1
            suota:
              - {name: a, pins: 'miso=P0_3,mosi=P0_0,cs=P0_1,sck=P0_4', bank: 1, block_size: 256, bank_size: 0xC000,
                 checks_signature: true}
              - {name: b, pins: 'scl=P0_2,sda=P0_3'}
            """)
        #expect(profiles.map(\.name) == ["a", "b"])
        #expect(profiles[0].bank == .first)
        #expect(profiles[0].blockSize == 256)
        #expect(profiles[0].bankSize == 0xC000)
        #expect(profiles[0].checksSignature)
        #expect(profiles[1] == SUOTAProfile(name: "b", pins: .vendorI2C))
    }

    @Test func `apply to the request, unless the command line overrides them`() throws {
        var preferences = try preferences(["--profile", "feasycom", "--profiles", Self.manifest])
        #expect(preferences.bank == .second)
        #expect(preferences.blockSize == 240)
        preferences = try self.preferences([
            "--profile", "feasycom", "--profiles", Self.manifest, "--bank", "0", "--block-size", "512",
            "--await-signature", "--pins", "scl=P0_2,sda=P0_3",
        ])
        #expect(preferences.bank == .oldest)
        #expect(preferences.blockSize == 512)
        #expect(preferences.pins == .vendorI2C)
        #expect(preferences.awaitsSignature)
    }

    @Test func `apply to the request with all their keys`() throws {
        let path = FileManager.default.temporaryDirectory.path + "/profiles-\(UUID().uuidString).yaml"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let text =
            "{profiles: 1, suota: [{name: a, pins: 'scl=P0_2,sda=P0_3', bank_size: 100, checks_signature: true}]}"
        try Data(text.utf8).write(to: URL(filePath: path))
        let preferences = try preferences(["--profile", "a", "--profiles", path])
        #expect(preferences.bankLimit == 100)
        #expect(preferences.awaitsSignature)
        #expect(preferences.pins == .vendorI2C)
    }

    @Test(
        arguments: [
            ("", "empty"), ("x", "mapping"), ("suota: []", "profiles: 1"),
            ("profiles: 1", "'suota' is missing"),
            ("{profiles: 2, suota: []}", "version 1"), ("{profiles: 1, suota: x}", "list"),
            ("{profiles: 1, suota: [{pins: 'scl=P0_2,sda=P0_3'}]}", "'name' is missing"),
            ("{profiles: 1, suota: [{name: a}]}", "'pins' is missing"),
            ("{profiles: 1, suota: [{name: a, pins: 'scl=P0_2'}]}", "sda is missing"),
            ("{profiles: 1, suota: [{name: a, pins: 'scl=P0_2,sda=P0_3', bank: 3}]}", "0, 1 or 2"),
            ("{profiles: 1, suota: [{name: a, pins: 'scl=P0_2,sda=P0_3', block_size: 0}]}", "1 to 65535"),
            ("{profiles: 1, suota: [{name: a, pins: 'scl=P0_2,sda=P0_3', bank_size: 0}]}", "at least 1 byte"),
            (
                "{profiles: 1, suota: [{name: a, pins: 'scl=P0_2,sda=P0_3', checks_signature: yes}]}",
                "neither true nor false"
            ),
            ("{profiles: 1, suota: [{name: a, pins: 'scl=P0_2,sda=P0_3', banks: 1}]}", "unknown key 'banks'"),
            (
                "{profiles: 1, suota: [{name: a, pins: 'scl=P0_2,sda=P0_3'}, {name: a, pins: 'scl=P0_2,sda=P0_3'}]}",
                "appears twice"
            ),
        ])
    func `that are wrong are refused with their place`(_ text: String, _ words: String) throws {
        let problem = try #require(throws: YAMLProblem.self) { try reading(text) }
        #expect("\(problem)".contains(words), "\(problem)")
    }

    @Test func `are named in the error if they do not exist`() throws {
        let failure = try #require(throws: CommandFailure.self) {
            try preferences(["--profile", "other", "--profiles", Self.manifest])
        }
        #expect(failure.code == "profile-unknown")
        #expect(failure.message.contains("dialog-spi, dialog-i2c, feasycom"))
    }
}
