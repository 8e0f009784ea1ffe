import Bytes
import TestSupport
import Testing
import UpdateModel

@testable import Firmware

@Suite struct `The findings in a catalogue` {
    private static func codes(_ firmware: String, _ rest: String = "") throws -> [FailureCode] {
        try catalogue("  - {model: A, kind: suota, versions: dotted, firmware: [\(firmware)]}\n\(rest)")
            .findings.map(\.code)
    }

    @Test(arguments: [
        ("{version: 3.1}, {version: 4.0, through: 3.1}", []),
        (
            "{version: 3.1, through: 4.0}, {version: 4.0, through: 3.1}",
            ["catalogue-path-cycle", "catalogue-path-cycle"]
        ),
        ("{version: 4.0, through: '4'}", ["catalogue-path-cycle"]),
        ("{version: 4.0, through: 3.1}", ["catalogue-unreachable"]),
        ("{version: 3.1, channel: beta}, {version: 4.0, through: 3.1}", ["catalogue-unreachable"]),
        ("{version: 3.1, channel: beta}, {version: 4.0, through: 3.1, channel: beta}", []),
        ("{version: 3.1, withdrawn: bad}, {version: 4.0, through: 3.1}", ["catalogue-withdrawn-used"]),
        ("{version: 3.1, withdrawn: bad}, {version: 4.0, through: 3.1, withdrawn: too}", []),
        ("{version: 4.0, minimum_installed: 4.0}", ["catalogue-unreachable"]),
        ("{version: 1.0}, {version: 4.0, minimum_installed: 3.0}", ["catalogue-unreachable"]),
        ("{version: 1.0}, {version: 3.5}, {version: 4.0, minimum_installed: 3.0}", []),
        ("{version: 4.0, minimum_installed: 3.0}", []),
        (
            "{version: 1.0}, {version: 3.1, hardware_versions: [V1]}, {version: 4.0, through: 3.1}",
            []
        ),
        (
            "{version: 1.0}, {version: 3.1, hardware_versions: [V1]}, "
                + "{version: 4.0, through: 3.1, hardware_versions: [v1, V2]}",
            ["catalogue-unreachable"]
        ),
        (
            "{version: 1.0}, {version: 3.1, models: [A1]}, {version: 4.0, minimum_installed: 3.0, models: [A2]}",
            ["catalogue-unreachable"]
        ),
        (
            "{version: 1.0}, {version: 3.0, channel: beta}, {version: 4.0, minimum_installed: 3.0}",
            ["catalogue-unreachable"]
        ),
        ("{version: 1.0}, {version: 3.0, channel: beta}, {version: 4.0, minimum_installed: 1.0}", []),
        (
            "{version: 1.0}, {version: 2.0, withdrawn: bad}, {version: 3.0, through: 2.0}",
            ["catalogue-withdrawn-used"]
        ),
        (
            "{version: 4.0, minimum_installed: 3.0}, {version: 3.0, minimum_installed: 2.0}, {version: 2.0}, {version: 1.0}",
            []
        ),
        ("{version: 1.0}, {version: 3.0, minimum_installed: 2.0}, {version: 4.0}", ["catalogue-unreachable"]),
        ("{version: 1.0}, {version: '1'}", ["catalogue-overlap"]),
        ("{version: 1.0, timestamp: 1}, {version: 1.0, timestamp: 2}", []),
        (
            "{version: 1.0, hardware_versions: [V1]}, {version: 1.0, hardware_versions: [V2, v1]}",
            ["catalogue-overlap"]
        ),
        ("{version: 1.0, hardware_versions: [V1]}, {version: 1.0, hardware_versions: [V2]}", []),
        ("{version: 1.0, models: [A*]}, {version: 1.0, models: ['*B']}", ["catalogue-overlap"]),
        ("{version: 1.0, withdrawn: bad}, {version: 1.0}", []),
    ])
    func `concern the steps between releases`(firmware: String, codes: [FailureCode]) throws {
        #expect(try Self.codes(firmware) == codes)
    }

    @Test(arguments: [
        ("{model: B, kind: suota, recognised_by: {model: a}}", true),
        ("{model: B, kind: suota, recognised_by: {model: '?'}}", true),
        ("{model: B, kind: suota, recognised_by: {model: a, maker: x}}", false),
        ("{model: B, kind: suota, recognised_by: {model: 'b*'}}", false),
        ("{model: B, kind: nordic-secure, recognised_by: {model: a}}", false),
        ("{model: B, kind: suota, recognised_by: {number: 5}}", false),
        ("{model: B, kind: vendor-only, vendor_way: x, recognised_by: {model: A}}", true),
        ("{model: B, kind: vendor-only, vendor_way: x, recognised_by: {model: A, maker: x}}", false),
    ])
    func `include families that cannot be told apart`(other: String, isFlaw: Bool) throws {
        let flaws = try catalogue("  - {model: A, kind: suota}\n  - \(other)\n").findings
        #expect(flaws.map(\.code) == (isFlaw ? ["catalogue-overlap"] : []))
        #expect(flaws.allSatisfy { $0.place.line == 4 && $0.place.column == 5 })
    }

    @Test(arguments: [
        ("{model: A, kind: suota, colour: red}", "line 3, column 29: unknown key 'colour'"),
        ("{model: A, kind: suota, flash: {pinz: x}}", "did you mean 'pins'?"),
        ("{model: A, kind: suota, firmware: [{version: 1, chanel: beta}]}", "did you mean 'channel'?"),
        (
            "{model: A, kind: suota, versions: dotted, firmware: [{version: x}]}",
            "not a version of the scheme dotted"
        ),
        ("{model: A, kind: suota, firmware: [{version: 1, file: a.img}]}", "'sha256' is missing"),
        ("{model: A, kind: suota, firmware: [{version: 1, file: /a.img}]}", "relative"),
        ("{model: A, kind: vendor-only}", "'vendor_way'"),
        ("{model: A, kind: suota, vendor_way: x}", "'vendor_way'"),
        ("{model: A, kind: suota, recognised_by: {}}", "at least one of"),
        ("{model: A, kind: suota, minimum_battery: 101}", "not a number from 0 to 100"),
    ])
    func `in its keys and values are refused with the place`(model: String, problem: String) {
        do {
            _ = try catalogue("  - \(model)\n")
            Issue.record("taken: \(model)")
        } catch { #expect("\(error)".contains(problem), "\(error)") }
    }

    @Test(arguments: [
        ("kind: nordic-secure, versions: dotted", "{version: 1.1.0, package_version: 2}", true),
        ("kind: nordic-legacy", "{version: 1.1.0, package_version: 2}", true),
        (
            "kind: nordic-secure, versions: dotted, version_from: firmware-revision",
            "{version: 1.1.0, package_version: 2}", false
        ),
        ("kind: nordic-secure, versions: dotted", "{version: 2.0, package_version: 2}", false),
        ("kind: nordic-secure, versions: number", "{version: 2}", false),
        ("kind: nordic-secure, versions: dotted", "{version: V1.1, package_version: 2}", false),
        ("kind: suota, versions: dotted", "{version: 1.1.0, package_version: B7}", true),
    ])
    func `include releases that cannot be compared with what beacons report`(
        family: String, release: String, isFlaw: Bool
    ) throws {
        let flaws = try catalogue("  - {model: A, \(family), firmware: [\(release)]}\n").findings
        #expect(flaws.map(\.code) == (isFlaw ? ["catalogue-versions-apart"] : []), "\(flaws)")
        guard let flaw = flaws.first else { return }
        #expect(flaw.message.contains("'version_from'") && flaw.message.contains("'versions: number'"))
    }

    @Test(arguments: [("2", "unknown"), ("1.1.0", "update"), ("1.3", "current"), ("0", "update")])
    func `about a reported version do not allow a downgrade`(shown: String, word: String) throws {
        let catalogue = try catalogue(
            """
              - {model: A, kind: nordic-secure, versions: dotted, version_from: firmware-revision, firmware: [
                  {version: 1.1.0, package_version: 2}, {version: 1.2.0, package_version: 3}]}

            """)
        var device = CatalogueDevice()
        (device.model, device.version) = ("A", shown)
        let match = catalogue.match(device)
        switch match.outcome {
        case .unknown(let missing):
            #expect(word == "unknown" && missing.first?.contains("2 is the package_version of 1.1.0") == true)
        case .update: #expect(word == "update")
        default: #expect(word == "current", "\(match.outcome)")
        }
    }

    @Test(arguments: [
        (
            "nordic/blinker-1.1.0.zip", "version: 1.1.0, package_version: 2",
            "kind: nordic-secure, hardware: 52", nil
        ),
        ("nordic/blinker-1.1.0.zip", "version: 2", "kind: nordic-secure", nil),
        (
            "nordic/blinker-1.1.0.zip", "version: 1.1.0", "kind: nordic-secure",
            "has version 2, but the entry says 1.1.0"
        ),
        (
            "nordic/blinker-1.1.0.zip", "version: 2", "kind: nordic-secure, hardware: 51",
            "is 52, but A has 51"
        ),
        ("nordic/blinker-1.1.0.zip", "version: 2", "kind: suota", "is a package of kind nordic-secure"),
        ("dialog/58x.img", "version: v_1.2.3", "kind: suota, header: 58x", nil),
        ("dialog/58x.img", "version: 1.2.3, timestamp: 5", "kind: suota", "has the timestamp 1700000000"),
        ("dialog/58x.img", "version: 1.2.3", "kind: suota, header: 68x", "but A has 68x"),
        ("feasycom/bp102.fbu", "version: 840", "kind: fbeacon, number: 21", nil),
        ("feasycom/bp102.fbu", "version: 840", "kind: fbeacon, number: 22", "is 21, but A has 22"),
        ("malformed/suota-crc-mismatch.img", "version: 1.2.3", "kind: suota", "CRC-32"),
        ("hex/application.hex", "version: 1", "kind: suota", "intel-hex"),
        ("malformed/suota-truncated.img", "version: 1.2.3", "kind: suota", ""),
    ])
    func `include packages that differ from their entry`(
        file: String, release: String, model: String, problem: String?
    ) throws {
        let bytes = try Samples.bytes(file)
        let family = try #require(
            try catalogue("  - {model: A, \(model), versions: dotted, firmware: [{\(release)}]}\n").families
                .first)
        let flaws = try #require(family.firmware.first).findings(on: bytes, for: family)
        guard let problem else {
            #expect(flaws == [])
            return
        }
        #expect(flaws.contains { problem.isEmpty || $0.message.contains(problem) }, "\(flaws)")
    }

    @Test func `include a package with another hash, which is not checked any further`() throws {
        let hash = String(repeating: "0", count: 64)
        let family = try #require(
            try catalogue("  - {model: A, kind: suota, firmware: [{version: 1, sha256: '\(hash)'}]}\n")
                .families
                .first)
        let flaws = try #require(family.firmware.first).findings(on: [1, 2], for: family)
        #expect(flaws.map(\.code) == ["catalogue-hash-mismatch"])
    }
}

@Suite struct `Two patterns` {
    @Test(arguments: [
        ("a", "a", true), ("a", "b", false), ("a*", "*b", true), ("a*", "b*", false), ("*", "", true),
        ("?", "", false),
        ("?b", "a?", true), ("a?c", "a*d", false), ("*a*", "*b*", true), ("ab*cd", "a*d", true),
        ("", "", true),
        ("**", "x", true), ("a*b?", "ab", false),
    ])
    func `overlap if a text matches both`(one: String, other: String, isMet: Bool) {
        #expect(Glob(one).overlaps(Glob(other)) == isMet)
        #expect(Glob(other).overlaps(Glob(one)) == isMet)
    }
}

@Suite struct `A family with the maximum number of releases` {
    @Test(.timeLimit(.minutes(10))) func `is checked within the time limit`() throws {
        let releases = (0..<1000).map {
            "      - {version: 1.\($0), minimum_installed: 1.\(max(0, $0 - 1))}\n"
        }
        let flaws = try catalogue(
            "  - model: A\n    kind: suota\n    versions: dotted\n    firmware:\n\(releases.joined())"
        ).findings
        // The first one requires itself.
        #expect(flaws.map(\.code) == ["catalogue-unreachable"])
    }
}
