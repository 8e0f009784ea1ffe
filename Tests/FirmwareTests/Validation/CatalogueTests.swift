import TestSupport
import Testing
import UpdateModel

@testable import Dialog
@testable import Firmware
@testable import Nordic

@Suite struct `A version` {
    @Test(arguments: [
        ("1.9", "1.10"), ("1.2", "1.2.1"), ("v_6.0.2", "6.0.14.1114"), ("9", "10"), ("0.9", "1"),
        ("2.0-beta1", "2.1"), ("10000000000000000000000", "10000000000000000000001"),
    ])
    func `is ordered by its numbers`(older: String, newer: String) throws {
        let (old, new) = (try #require(VersionOrder(older)), try #require(VersionOrder(newer)))
        #expect(old < new)
        #expect(!(new < old))
        #expect(old != new)
    }

    @Test func `with other zeros is the same`() {
        #expect(VersionOrder("1.2") == VersionOrder("1.2.0"))
        #expect(VersionOrder("01.02") == VersionOrder("v1.2"))
        #expect(VersionOrder("beta") == nil)
    }
}

@Suite struct `A catalogue` {
    static func catalogue(_ texts: String...) throws -> Catalogue {
        try Catalogue(
            files: texts.enumerated().map { ("\($0).yaml", Array($1.utf8)) })
    }

    static let blinker = """
        catalogue: 1
        vendor: Example
        models:
          - model: Blinker
            kind: nordic-secure
            hardware: 52
            firmware:
              - version: 9
              - {version: 10, sha256: \(String(repeating: "ab", count: 32))}
              - version: 2
          - {model: Sensor, kind: suota, header: 58x, firmware: [{version: 1.2.3, timestamp: 1600000000}]}
        """

    @Test func `finds the newest release by number, not by order or spelling`() throws {
        #expect(try Self.catalogue(Self.blinker).families(named: "blinker").first?.newest?.version == "10")
    }

    @Test func `compares with the named model`() throws {
        var gate = Gate()
        gate.catalogue = try Self.catalogue(Self.blinker)
        gate.target = try TargetDevice(parsing: "model=Blinker")
        let old = gate.report(on: try Samples.bytes("nordic/blinker-1.0.0.zip"), named: "a.zip")
        #expect(old.findings.map(\.id).contains("version-not-newer"))
        gate.target = try TargetDevice(parsing: "model=Sensor")
        let other = gate.report(on: try Samples.bytes("nordic/blinker-1.0.0.zip"), named: "a.zip")
        let clash = try #require(other.findings.first { $0.id == "target-model-unknown" })
        #expect(clash.level == .error)
        #expect("\(clash)".contains("takes packages of kind suota"), "\(clash)")
    }

    @Test(arguments: [
        (1_600_000_000, ["version-not-newer"]), (1_800_000_000, ["version-not-newer"]), (1, []),
    ])
    func `distinguishes SUOTA images of one version by their timestamps`(known: Int, ids: [String]) throws {
        var gate = Gate()
        // The sample is version 1.2.3 of 1700000000.
        gate.catalogue = try Self.catalogue(
            """
            catalogue: 1
            models: [{model: S, kind: suota, firmware: [{version: \(known == 1_600_000_000 ? "1.2.4" : "1.2.3"),
              timestamp: \(known)}]}]
            """)
        gate.target = try TargetDevice(parsing: "model=S,chip=58x,bank=110592")
        let report = gate.report(on: try Samples.bytes("malformed/same-image.img"), named: "a.img")
        #expect(report.findings.map(\.id) == ids + ["unauthenticated"])
    }

    @Test func `passes the newest release itself`() throws {
        let bytes = try Samples.bytes("feasycom/bp102.fbu")
        var gate = Gate()
        let sum = try #require(gate.report(on: bytes, named: "a.fbu").sha256)
        gate.catalogue = try Self.catalogue(
            "{catalogue: 1, models: [{model: BP102, kind: fbeacon, number: 21, firmware: "
                + "[{version: 65535, sha256: \(sum)}]}]}")
        #expect(gate.report(on: bytes, named: "a.fbu").findings.map(\.id) == ["unauthenticated"])
    }

    @Test(arguments: [
        ("models: []", "'catalogue: 1' is missing"), ("catalogue: 2\nmodels: []", "only version 1"),
        ("catalogue: 1", "'models' is missing"),
        ("catalogue: 1\nmodels:\n  - {model: A}", "line 3, column 5: 'kind' is missing"),
        ("catalogue: 1\nmodels:\n  - {model: A, kind: zip}", "'zip' is not one of"),
        ("catalogue: 1\nmodels: [{model: A, kind: suota, header: 70x}]", "header is '70x' but must be"),
        ("catalogue: 1\nmodels: [{model: A, kind: suota, firmware: [{}]}]", "'version' is missing"),
        ("catalogue: 1\nmodels: [{model: A, kind: suota, firmware: [{version: 1, sha256: ab}]}]", "64 hex"),
        ("catalogue: 1\nmodels: [{model: A, kind: suota}, {model: A, kind: suota}]", "'A' appears twice"),
    ])
    func `that is wrong is refused with the place`(text: String, problem: String) {
        do {
            _ = try Self.catalogue(text)
            Issue.record("taken: \(text)")
        } catch { #expect("\(error)".contains(problem), "\(error)") }
    }

    @Test func `refuses a model that two files have`() {
        #expect(throws: CatalogueError.self) { try Self.catalogue(Self.blinker, Self.blinker) }
    }
}

@Suite struct `A target` {
    @Test func `is read from pairs`() throws {
        let target = try TargetDevice(
            parsing:
                "model=Blinker 2, hardware=0x34,version=2.7,softdevice=s140_7.2.0,sdk=15.2,signed=no,chip=531,bank=1024"
        )
        #expect(target.model == "Blinker 2")
        let nordic = NordicTarget(target)
        #expect(nordic.hardware == 52)
        #expect(target.version == "2.7")
        #expect(nordic.softDevice == .installed(0x100))
        #expect(nordic.generation == .sdk15)
        #expect(nordic.acceptsUnsigned)
        #expect(target["chip"].flatMap(HeaderFamily.init(chip:)) == .da1458x)
        #expect(target.number("bank") == 1024)
        let bare = NordicTarget(try TargetDevice(parsing: "softdevice=none"))
        #expect(bare.softDevice == NordicTarget.SoftDevice.none)
    }

    @Test(arguments: [
        ("hardware", "not of the form"), ("hardware=", "not of the form"), ("", "not of the form"),
        ("hardwear=52", "'hardwear'; did you mean 'hardware'?"), ("hardware=-1", "hardware is '-1'"),
        ("hardware=4294967296", "hardware is"), ("sdk=11", "sdk is '11'"), ("sdk=x", "sdk is"),
        ("softdevice=s999", "softdevice is 's999'"), ("chip=nrf52", "chip is"), ("signed=maybe", "signed is"),
        ("bank=99999999999", "bank is"), ("hardware=52,hardware=53", "'hardware' appears twice"),
    ])
    func `that is wrong is refused`(text: String, problem: String) {
        do {
            _ = try TargetDevice(parsing: text)
            Issue.record("taken: \(text)")
        } catch { #expect("\(error)".contains(problem), "\(error)") }
    }

    @Test(arguments: [
        ("nordic/system-and-application.zip", FileVerdict.accepted),
        (
            "malformed/softdevice-not-listed.zip",
            .refused(
                id: "softdevice-mismatch", code: "05",
                cause: "a SoftDevice alone cannot change from version 4 to 6")
        ),
    ])
    func `includes what the first part of a package has installed`(file: String, verdict: FileVerdict) throws
    {
        var gate = Gate()
        gate.options[NordicOptions.self].key = NordicPublicKey(hex: RuleSample.key)
        gate.target = try TargetDevice(parsing: "hardware=52,softdevice=0x98,version=0,bootloader=0")
        #expect(gate.report(on: try Samples.bytes(file), named: "a.zip").verdict == verdict)
        // With the SoftDevice that the application lists, but the package replaces.
        gate.target = try TargetDevice(parsing: "hardware=52,softdevice=0xA8,version=0,bootloader=0")
        guard verdict != .accepted else { return }
        let report = gate.report(on: try Samples.bytes(file), named: "a.zip")
        #expect(report.findings.map(\.id).contains("softdevice-not-listed"))
        #expect(report.verdict?.word == "refused")
    }

    @Test func `with a text instead of a number is undecided`() throws {
        var gate = Gate()
        gate.options[NordicOptions.self].key = NordicPublicKey(hex: RuleSample.key)
        gate.target = try TargetDevice(parsing: "hardware=52,softdevice=0x98,version=1.0.0")
        let bytes = try Samples.bytes("nordic/tiny.zip")
        #expect(gate.report(on: bytes, named: "a.zip").verdict == .undecided(["a version that is a number"]))
        gate.target = try TargetDevice(parsing: "hardware=52,softdevice=0x98,version=0x1")
        #expect(gate.report(on: bytes, named: "a.zip").verdict == .accepted)
    }

    @Test(arguments: [
        ("malformed/boot-validation-unknown.zip", "17.1", "05"),
        ("malformed/boot-validation-unknown.zip", "15.0", nil),
        ("malformed/boot-validation-length-wrong.zip", "17.1", "05"),
        ("malformed/boot-validation-misplaced.zip", "16.0", "05"),
        ("malformed/boot-validation-misplaced.zip", "17.1", nil),
        ("malformed/softdevice-unrecognised.zip", "15.0", "05"),
    ])
    func `is judged to the end of the transfer`(file: String, sdk: String, code: String?) throws {
        var gate = Gate()
        gate.options[NordicOptions.self].key = NordicPublicKey(hex: RuleSample.key)
        gate.target = try TargetDevice(
            parsing: "hardware=52,softdevice=0x98,version=0,bootloader=0,sdk=\(sdk)")
        let verdict = gate.report(on: try Samples.bytes(file), named: "a.zip").verdict
        // The misplaced one is too long for SDK 15.0, and the others fit.
        if case .refused(_, let found, _)? = verdict { #expect(found == code) } else { #expect(code == nil) }
    }

    @Test(arguments: [
        ("nordic/legacy.zip", "softdevice=0x64", "undecided"),
        ("nordic/legacy.zip", "softdevice=0x67", "refused"),
    ])
    func `of a Legacy package is judged by its SoftDevice`(file: String, target: String, word: String) throws
    {
        var gate = Gate()
        gate.target = try TargetDevice(parsing: target)
        let name = try #require(try Samples.names(in: "legacy").first { $0.contains("generation-05") })
        let list = try #require(
            try LegacyPackage(parsing: try Samples.bytes(name)).parts.first?.initPacket?
                .softDeviceRequirements)
        let id = word == "refused" ? 0xFFF0 : list[0]
        gate.target = try TargetDevice(parsing: "softdevice=\(id)")
        #expect(gate.report(on: try Samples.bytes(name), named: name).verdict?.word == word)
    }
}
