import ArgumentParser
import Testing
import Tray
import TrayJournal

@testable import CommandKit
@testable import TrayCommands

@Suite struct `The rules of a run` {
    private static func rules(
        _ options: [String], _ limits: String = "{}", units: Int = 20, isProven: Bool = false
    ) throws -> ScheduleRules {
        let text = "tray: 1\nlimits: \(limits)\nfirmware: a.zip\nrule: {name: A}\n"
        let tray = try TrayFile(parsing: Array(text.utf8))
        return try RunOptions.parse(options).rules(for: units, tray.limits, isProven: isProven)
    }

    @Test func `demand a golden unit, unless the user, proven firmware or a single unit makes it needless`()
        throws
    {
        #expect(try Self.rules([]) == ScheduleRules())
        #expect(try Self.rules([], units: 2).hasGolden)
        #expect(try !Self.rules([], units: 1).hasGolden)
        #expect(try !Self.rules([], isProven: true).hasGolden)
        #expect(try Self.rules(["--no-golden"]) == ScheduleRules(hasGolden: false))
    }

    /// The number of failures that holds the tray; nil for the default rules.
    @Test(
        arguments: [
            ([], "{}", 20, nil), (["--max-failures", "0"], "{}", 20, 1),
            (["--max-failures", "2"], "{}", 30, 3), ([], "{failure_percent: 10}", 20, 3),
            ([], "{failure_percent: 10}", 19, 2), ([], "{failure_percent: 10}", 9, 1),
            ([], "{failure_percent: 0}", 100, 1), ([], "{failure_percent: 100}", 4, 5),
            (["--max-failures", "1"], "{failure_percent: 50}", 20, 2),
            (["--max-failures", "15"], "{failure_percent: 50}", 20, 11),
        ] as [([String], String, Int, Int?)])
    func `hold the tray at the first failure above the lower limit`(
        _ options: [String], _ limits: String, _ units: Int, _ failures: Int?
    ) throws {
        let rules = try Self.rules(options, limits, units: units)
        #expect(
            rules.hold == failures.map { [.share(failures: $0, ofLast: units)] } ?? ScheduleRules().hold)
    }

    @Test func `limit the time of a unit and of the tray as the tray does`() throws {
        let rules = try Self.rules([], "{unit_s: 60, tray_s: 600}")
        #expect(rules.unitTime == .seconds(60) && rules.trayTime == .seconds(600))
    }

    @Test func `limit the links as the command line does, else as the tray does`() throws {
        let tray = try TrayFile(
            parsing: Array("{tray: 1, limits: {links: 3}, firmware: a.zip, rule: {name: A}}".utf8))
        #expect(try RunOptions.parse(["--links", "5"]).limits(over: tray.limits).links == 5)
        #expect(try RunOptions.parse([]).limits(over: tray.limits).links == 3)
    }

    @Test func `name the variables that every hook gets`() throws {
        let record = try RecordOptions.parse(["--hook", "a=x", "--hook", "b=y", "--hook-env", "TOKEN"])
        #expect(record.hooks.map(\.variables) == [["TOKEN"], ["TOKEN"]])
    }
}

@Suite struct `The units of a run` {
    @Test(
        arguments: [
            ("--from-scan o.yaml --rule name=A", false, "--from-scan only writes"),
            ("--rule name=A", true, "--tray or --rule"),
            ("--catalogue c", true, "the order sets the firmware"),
            ("--beta", true, "the order sets the firmware"),
            ("--release 2", true, "the order sets the firmware"),
            ("--rule name=A", false, nil), ("", true, nil),
        ] as [(String, Bool, String?)])
    func `of a work order have its firmware`(_ line: String, _ hasTray: Bool, _ words: String?) throws {
        let options = try UnitOptions.parse(line.split(separator: " ").map(String.init))
        let flaw = options.flawUnderOrder(hasTrayFile: hasTray)
        #expect(flaw?.contains(words ?? "?") ?? (words == nil), "\(flaw ?? "")")
    }

    @Test(
        arguments: [
            (["--expected", "4"], 4), ([], nil), (["--expected", "4", "--scan-for", "5"], nil),
        ] as [([String], Int?)])
    func `end the scan early if their number is expected and no time is given`(
        _ options: [String], _ count: Int?
    ) throws {
        let units = try UnitOptions.parse(["--rule", "name=A"] + options)
        let source = TraySource(units.rule, getting: .file("a.zip"), expecting: units.expected)
        let goal: Int? = if case .matches(let count, _) = units.goal(of: source) { count } else { nil }
        #expect(goal == count)
        #expect(units.scanTime == (options.contains("--scan-for") ? 5 : 10))
    }
}
