import TestSupport
import Testing
import UpdateModel

@Suite struct `A version scheme` {
    /// beacon-identity.md, 3.5: installed, offered, and whether the offered one is newer by either comparison.
    @Test(arguments: [
        ("V5.20", "V5.21", true, true), ("V5.9", "V5.20", false, true), ("V6.02", "V6.2", true, false),
        ("V6.10", "V6.9", true, false), ("V5.20", "V6.0", true, true),
    ])
    func `compares KKM's versions by components, and as decimal numbers on request`(
        installed: String, offered: String, isNewerAsDecimal: Bool, isNewerByComponents: Bool
    ) throws {
        for (scheme, isNewer) in [
            (VersionScheme.decimal, isNewerAsDecimal), (.dotted, isNewerByComponents),
        ] {
            let old = try #require(scheme.version(installed))
            let new = try #require(scheme.version(offered))
            #expect((old < new) == isNewer, "\(scheme)")
        }
    }

    @Test func `treats V6.02 and V6.2 as equal by components`() {
        #expect(VersionScheme.dotted.version("V6.02") == VersionScheme.dotted.version("V6.2"))
        #expect(VersionScheme.decimal.version("V6.20") == VersionScheme.decimal.version("6.2"))
    }

    @Test(arguments: [
        (VersionScheme.number, "9", "10"), (.number, "v9", "00010"),
        (.number, "99999999999999999999999", "100000000000000000000000"), (.dotted, "1", "1.0.0.0.1"),
        (.dotted, "v_6.0.2", "6.0.14.1114"), (.decimal, "5.20", "5.9"), (.decimal, "0.09", "0.1"),
        (.feasycom, "830", "0840"), (.bcd, "0x0109", "1.10"), (.bcd, "0x0999", "0x1000"),
        (.date, "2025-12-31", "20260101"), (.digits, "rc 1 of 2", "rc 1 of 10"),
    ])
    func `orders the versions that it can read`(scheme: VersionScheme, older: String, newer: String) throws {
        let (old, new) = (try #require(scheme.version(older)), try #require(scheme.version(newer)))
        #expect(old < new && !(new < old) && old != new)
    }

    @Test(arguments: [
        (VersionScheme.number, "1.2"), (.number, ""), (.number, "V"), (.number, "-1"), (.dotted, "1..2"),
        (.dotted, ".1"), (.dotted, "1."), (.dotted, "1.2-beta"), (.dotted, "vv1"), (.dotted, "1.２"),
        (.decimal, "1.2.3"), (.decimal, "5."), (.feasycom, "65536"), (.feasycom, "+1"), (.bcd, "0x01A0"),
        (.bcd, "1.2"), (.bcd, "0x120"), (.date, "2026-13-01"), (.date, "2026-1-1"), (.date, "2026-0131"),
        (.digits, "beta"),
    ])
    func `reads no version from other texts`(scheme: VersionScheme, text: String) {
        #expect(scheme.version(text) == nil)
    }

    @Test(arguments: VersionScheme.allCases)
    func `is a total and transitive order`(scheme: VersionScheme) throws {
        var generator = Seed(Seed.ofThisRun)
        let versions = (0..<60).compactMap { _ in scheme.version(Self.text(scheme, &generator)) }
        #expect(versions.count == 60)
        for one in versions {
            #expect(!(one < one))
            for two in versions {
                #expect([one < two, one == two, two < one].count { $0 } == 1)
                for three in versions where one < two && two < three { #expect(one < three) }
                for three in versions where one == two { #expect((one < three) == (two < three)) }
            }
        }
    }

    private static func text(_ scheme: VersionScheme, _ generator: inout Seed) -> String {
        func number(_ range: ClosedRange<Int>) -> String { "\(Int.random(in: range, using: &generator))" }
        func zeros() -> String { String(repeating: "0", count: Int.random(in: 0...2, using: &generator)) }
        let letter = ["", "V", "v", "v_"].randomElement(using: &generator) ?? ""
        switch scheme {
        case .number: return letter + zeros() + number(0...12)
        case .feasycom: return letter + number(0...40)
        case .decimal: return letter + zeros() + number(0...3) + "." + zeros() + number(0...30)
        case .bcd: return letter + number(0...3) + "." + number(10...30)
        case .date: return "20" + number(10...12) + "-0" + number(1...3) + "-" + number(10...14)
        case .dotted, .digits:
            let fields = (0..<Int.random(in: 1...4, using: &generator)).map { _ in zeros() + number(0...11) }
            return letter + fields.joined(separator: ".")
        }
    }
}
