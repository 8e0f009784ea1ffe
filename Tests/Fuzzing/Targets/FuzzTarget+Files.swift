import Bytes
import Dialog
import Feasycom
import Firmware
import MCUboot
import TestSupport
import UpdateModel

@testable import Bluetooth
@testable import Nordic
@testable import Simulation

extension FuzzTarget {
    /// Files from elsewhere.
    static let files =
        [
            package, initPacket, legacyPackage, legacyInitPacket, manifest, publicKey, scenario, recording,
            hciPacket,
        ] + images

    private static let package = FuzzTarget("package", seeds: samples) { input in
        let limits = ArchiveLimits(fileBytes: 1 << 20, entryBytes: 1 << 20, totalBytes: 2 << 20)
        do {
            let package: NordicPackage
            switch try PackageFile(recognising: input, limits: limits) {
            case .firmware(let recognised as NordicPackage): package = recognised
            case .firmware(let package as LegacyPackage): return try check(package, limits)
            case .firmware(let image as SUOTAImage):
                return try demand(image.bytes == input, "another image")
            case .firmware(let file as FBeaconFile): return try demand(file.bytes == input, "another file")
            case .firmware(let file as MCUbootFile): return try check(file)
            case .firmware(let file): throw Violation(description: "a file of kind \(file.kind)")
            case .unsupported(let file): return try demand(!file.hint.description.isEmpty, "no hint")
            }
            try demand(!package.parts.isEmpty, "a package without parts")
            for part in package.parts {
                try demand((1...1 << 20).contains(part.image.count), "an image of \(part.image.count) bytes")
            }
            _ = package.findings()
        } catch let error as FirmwareFileError {
            try demand(!error.description.isEmpty, "an error without text")
            if let place = error.finding.place.offset {
                try demand((0...input.count).contains(place), "\(error), in \(input.count) bytes")
            }
        }
    }

    private static let initPacket = FuzzTarget("init-packet", seeds: initPackets) { input in
        do {
            let packet = try InitPacket(parsing: input)
            try demand(packet.bytes == input, "another packet")
            try demand(input.contains(packet.signedBytes), "signed bytes that were not sent")
            try demand(packet.softDeviceRequirements.count <= input.count, "more than was received")
            try demand(packet.bootValidations.count <= input.count, "more than was received")
            _ = packet.expectedImageBytes
        } catch let error as InitPacketError {
            try demand((0...input.count).contains(error.offset), "\(error), in \(input.count) bytes")
        }
    }

    private static let manifest = FuzzTarget("manifest", seeds: { manifests }) { input in
        do {
            let manifest = try PackageManifest(parsing: input)
            try demand(!manifest.parts.isEmpty, "a manifest without parts")
            try demand(manifest.parts.count { $0.role.isSystem } <= 1, "two system parts")
        } catch let error as PackageError {
            try demand(!error.description.isEmpty, "an error without text")
        }
    }

    private static let publicKey = FuzzTarget("public-key", seeds: { keys }) { input in
        let text = String(decoding: input, as: UTF8.self)
        if let secret = try? NordicPrivateKey(text: text) {
            let again = try? NordicPrivateKey(text: secret.pem)
            try demand(again?.hex == secret.hex, "another private key")
        }
        guard let key = try? NordicPublicKey(text: text) else { return }
        for form in [key.hex, key.pem, key.code] {
            let again = try? NordicPublicKey(text: form)
            try demand(again?.wireBytes == key.wireBytes, "another key than in \(form)")
        }
        let again = NordicPublicKey(wire: key.wireBytes)
        try demand(again?.wireBytes == key.wireBytes, "another key")
    }

    private static let scenario = FuzzTarget("scenario", seeds: scenarios) { input in
        do {
            let scenario = try Scenario(parsing: input, path: "scenario.yaml")
            try demand(scenario.beacons.count <= input.count, "more beacons than bytes")
            for case let beacon as AdvertiserScenarioBeacon in scenario.beacons {
                let (plan, address) = (beacon.description.plan, beacon.description.address)
                let reports = plan.reports(after: .zero, through: .seconds(86400), from: address, rssi: 0)
                try demand(reports.count <= 128 * (plan.slots.count + 1), "\(reports.count) reports")
            }
        } catch let problem as YAMLProblem {
            try demand((problem.line ?? 1) <= input.count + 1, "\(problem) is outside")
            try demand(problem.excerpt.allSatisfy { $0.unicodeScalars.count < 100 }, "a long excerpt")
        }
    }

    private static let recording = FuzzTarget("btsnoop", seeds: { recordings }) { input in
        do {
            let file = try BTSnoopFile(parsing: input)
            try demand(file.bytes == input, "another file")
            for record in file.records {
                try demand(
                    input[record.place...].starts(with: record.packet), "a packet that is not at its place")
            }
            let conversations = try file.conversations()
            let said = conversations.flatMap(\.packets).reduce(0) { $0 + $1.bytes.count }
            try demand(said <= input.count, "more than was recorded")
            try demand(conversations.count <= file.records.count, "more links than records")
        } catch let error as ByteError {
            try demandPlace(error, in: input)
        }
    }

    private static let hciPacket = FuzzTarget("hci-packet", seeds: { hciPackets }) { input in
        var reader = ByteReader(input)
        do {
            let packet = try HCIPacket(parsing: &reader)
            if case .other = packet { return }
            var again = ByteReader(packet.bytes)
            try demand(try HCIPacket(parsing: &again) == packet, "another packet")
        } catch let error as ByteError {
            try demandPlace(error, in: input)
        }
    }
}

extension FuzzTarget {
    /// The small ones: a large seed makes every mutation slow.
    @Sendable private static func samples() throws -> [[UInt8]] {
        try ["nordic", "legacy", "dialog", "feasycom", "hex", "malformed"].flatMap {
            try Samples.names(in: $0)
        }.map {
            try Samples.bytes($0)
        }
        .filter { $0.count <= 16 << 10 }
    }

    @Sendable private static func initPackets() throws -> [[UInt8]] {
        try samples().compactMap { try? NordicPackage(parsing: $0).parts.first?.initPacket.bytes }
    }

    @Sendable private static func scenarios() throws -> [[UInt8]] {
        [
            try Samples.file(at: Samples.root + "/manifests/scenarios/demo.yaml"),
            Array("link: instant\nbeacons:\n  - {address: 'F0:00:00:00:00:00', flash: instant}\n".utf8),
            Array("beacons: [{address: F0:00:00:00:00:00, faults: [{cut_after_packet: 3}], rssi: -5}]".utf8),
            Array(
                "link: {interval_ms: 1e3, event_ms: 7.5, phy: 2M}\nbeacons: [{address: 'F0:0D:BE:AC:07:10'}]\nstate: memory\n"
                    .utf8),
            Array(
                """
                beacons:
                - {kind: kkm, address: BC:57:29:00:00:01/public, version: '6.20', mask: 0x10F, voc: [1, 2, 3],
                   triggers: [{trigger: click, at_s: 1}], frames: [kkm-sensor, kkm-aoa, {frame: ibeacon, period_ms: 20,
                   cut_to: 9}, {raw: 020106}]}
                - {kind: feasycom, address: F0:00:00:00:00:00, features: [led], scan_response: {flip: [{byte: 1}]}}
                - {kind: nearable, address: F0:00:00:00:01:00, temperature: -1.5, connectable: after-click, clicks_s: [1]}
                - {kind: eddystone, address: F0:00:00:00:02:00, url: 'http://a.com/', id_period_s: 9}
                - {kind: suota, address: F0:00:00:00:03:00, advertises: {kind: kontakt, records: ['0a64']}}
                """.utf8),
        ]
    }

    private static let manifests = [
        #"{"manifest":{"application":{"bin_file":"a.bin","dat_file":"a.dat"}}}"#,
        #"{"manifest":{"softdevice_bootloader":{"bin_file":"b","dat_file":"c","info_read_only_metadata":{"bl_size":1,"sd_size":2}},"dfu_version":0.5}}"#,
        #"{"format-version":1,"files":[{"image_index":"0"}]}"#,
    ].map { Array($0.utf8) }

    private static let keys = [
        """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEYP7UuiVanTHJYet0xjVtaMBJuJI7
        Yfps5mliLmDyn7Z5A/4QCLi8maQa6elWKLxk8vGyDC1+n1F3o8KU1EYimQ==
        -----END PUBLIC KEY-----
        """, String(repeating: "0", count: 128),
        """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIMmvqdhFunUWa1whV2ex1pNOUMPbNuibEnuKYisSD2choAoGCCqGSM49
        AwEHoUQDQgAEYP7UuiVanTHJYet0xjVtaMBJuJI7Yfps5mliLmDyn7Z5A/4QCLi8
        maQa6elWKLxk8vGyDC1+n1F3o8KU1EYimQ==
        -----END EC PRIVATE KEY-----
        """,
        "const uint8_t pk[64] = { /* X */ 0x01, 2, // Y\n };",
        "Public (verification) key pk:\n" + keyDigits,
    ].map { Array($0.utf8) }

    private static let hciPackets = [
        "04 3e 13 01 00 0100 00 01 0101acbe0df0 0c00 0000 5802 00",
        "04 3e 1f 0a 00 0100 00 03 0101acbe0df0 000000000000 000000000000 0c00 0000 5802 00",
        "02 0100 0700 0300 0400 02 0502", "02 0120 0800 0400 0400 1b 0d00 07", "02 0110 0300 00aabb",
        "04 05 04 00 0100 13", "04 08 04 00 0100 01", "01 030c 00",
    ].map { [UInt8](hex: $0) }

    private static let recordings = {
        let records = hciPackets.flatMap { packet -> [UInt8] in
            let length = [0, 0, 0, UInt8(packet.count)]
            return length + length + [0, 0, 0, packet[0] == 4 ? 3 : 0] + [UInt8](repeating: 0, count: 12)
                + packet
        }
        return [BTSnoopFile.header, BTSnoopFile.header + records]
    }()
}
