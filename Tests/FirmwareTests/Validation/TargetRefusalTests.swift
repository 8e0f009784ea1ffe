import Nordic
import TestSupport
import Testing
import UpdateModel

@testable import Firmware

@Suite struct `A file that a target refuses` {
    private static let targets = [
        "sdk=12.3,softdevice=0xB7,version=1,bootloader=1,hardware=52",
        "sdk=16.0,softdevice=none,version=9,bootloader=9,hardware=51,room=100",
        "sdk=17.1,softdevice=0x67,version=0,bootloader=0,hardware=52,signed=no",
        "chip=58x,bank=1087,version=1.2.3,timestamp=1700000000", "chip=68x,bank=1",
        "chip=69x,bank=1000000", "model=BP102,bootloader=1,version=1",
        "model=BP102,bootloader=9999,version=9999",
        "board=none,slot_size=64", "slot_size=1000000,mode=direct-xip,version=1.2.3,security_counter=9",
        "hardware=52,softdevice=0x98,version=0,bootloader=0,sdk=16.0", "softdevice=0x67,version=0",
        "slot_size=1000000,mode=swap-move,version=9.9.9,key_hash=" + String(repeating: "0", count: 64),
    ]

    private static let folders = ["nordic", "legacy", "dialog", "feasycom", "mcuboot", "malformed"]

    private static func report(
        _ file: String, _ target: String, _ rules: RuleSet = RuleSet()
    ) throws -> FileReport {
        var gate = Gate()
        gate.options[NordicOptions.self].key = NordicPublicKey(hex: RuleSample.key)
        gate.rules = rules
        gate.target = try TargetDevice(parsing: target)
        return gate.report(on: try Samples.bytes(file), named: file)
    }

    private static func isRefused(_ report: FileReport) -> Bool {
        if case .refused = report.verdict { true } else { false }
    }

    /// The content may have a milder finding of the same rule, and some rules only warn.
    @Test(arguments: targets) func `does not pass, whatever else is found in it`(target: String) throws {
        let reports = try Self.folders.flatMap(Samples.names).map { try Self.report($0, target) }
        let refused = reports.filter(Self.isRefused)
        #expect(refused.count > 5)
        for report in refused { #expect(!report.isPassed, "\(report.path)") }
    }

    @Test func `has the refusal beside a warning of the same rule`() throws {
        let findings = try Self.report(
            "malformed/boot-validation-misplaced.zip", "hardware=52,softdevice=0x98,bootloader=0,sdk=16.0"
        ).findings.filter { $0.id == "boot-validation-misplaced" }
        #expect(findings.map(\.level) == [.error, .warning])
        #expect(findings.map(\.isAboutTarget) == [true, false])
    }

    @Test func `has its refusal at the level of a rules file, and not less than without one`() throws {
        func levels(_ setting: String) throws -> [FindingLevel] {
            let rules = try RuleSet(parsing: Array("rules:\n  wrong-family: \(setting)\n".utf8))
            let report = try Self.report("dialog/58x.img", "chip=68x,bank=1000000", rules)
            return report.findings.filter(\.isAboutTarget).map(\.level)
        }
        #expect(try levels("note") == [.note])
        #expect(try levels("off") == [.error])
    }
}
