import Testing

@testable import UpdateModel

@Suite struct `An expected version` {
    private typealias FileVerdict = ExpectedVersion.Verdict

    @Test(
        arguments: [
            ("1.2.3", 10_203), ("2.7.31", 20_731), ("v2.7.31", 20_731), ("1.2.3+git4711", 10_203),
            ("1.2.3-rc1", 10_203),
            ("0.9", 900), ("10.0", 100_000), ("7", 7), ("20731", 20_731),
        ] as [(String, UInt32)])
    func `is met by the text from which nrfutil makes the number`(_ text: String, _ number: UInt32) {
        #expect(ExpectedVersion(number: number).verdict(before: nil, after: text) == .kept)
        #expect(ExpectedVersion(number: number).verdict(before: text, after: text) == .kept)
    }

    @Test(
        arguments: [
            ("1.2.2", 10_203, "1.2.2"), ("1.2.2", 10_203, nil), ("6", 7, nil), ("0.8.1", 900, "0.8.1"),
        ] as [(String, UInt32, String?)])
    func `is not met by the old version, or by a lower one`(
        _ text: String, _ number: UInt32, _ before: String?
    ) {
        #expect(ExpectedVersion(number: number).verdict(before: before, after: text) == .broken)
    }

    @Test(
        arguments: [
            ("7", nil, .kept), ("7", "6", .kept), ("8", "6", .incomparable(isUnchanged: false)),
            ("7", "7", .incomparable(isUnchanged: true)), ("6", nil, .incomparable(isUnchanged: false)),
            ("1.0", nil, .incomparable(isUnchanged: false)), (nil, nil, .silent), (nil, "7", .silent),
        ] as [(String?, String?, ExpectedVersion.Verdict)])
    func `that cannot be compared is met only if it was not reported before, and never broken`(
        _ text: String?, _ before: String?, _ verdict: ExpectedVersion.Verdict
    ) {
        let hint = ExpectedVersion(hinted: 7)
        #expect(hint.verdict(before: before, after: text) == verdict)
        #expect(hint.isHint && hint.text == nil && !hint.isMet(by: "7"))
        #expect(!ExpectedVersion(number: 7).isHint)
    }

    @Test(
        arguments: [
            ("1.2.4", 10_203, nil), ("1.2.2", 10_203, "1.2.1"), ("2.0.0", 10_203, "2.0.0"),
        ] as [(String, UInt32, String?)])
    func `is different if another version appears than before, or a higher one`(
        _ text: String, _ number: UInt32, _ before: String?
    ) {
        #expect(ExpectedVersion(number: number).verdict(before: before, after: text) == .different)
    }

    @Test(arguments: [
        "1.0.0", "release 7", "", "1.0.0.0", "1.200.3", "1..2", "١.٢.٣", "4294967296",
        "99999999999999999999.1",
    ])
    func `is undecided for texts with another numbering`(_ text: String) {
        let expectedVersion = ExpectedVersion(number: 1)
        #expect(expectedVersion.verdict(before: nil, after: text) == .incomparable(isUnchanged: false))
        #expect(expectedVersion.verdict(before: text, after: text) == .incomparable(isUnchanged: true))
        #expect(expectedVersion.verdict(before: nil, after: nil) == .silent)
    }

    @Test func `without a limit cannot be compared`() {
        let any = ExpectedVersion(number: .max)
        #expect(any.verdict(before: nil, after: "1.0.0") == .incomparable(isUnchanged: false))
        #expect(ExpectedVersion().verdict(before: "1", after: "1") == .incomparable(isUnchanged: true))
    }

    @Test func `by text is that text and no other`() {
        let expectedVersion = ExpectedVersion(number: 10_203, text: "1.2.3 (lab)")
        #expect(expectedVersion.verdict(before: nil, after: "1.2.3 (lab)") == .kept)
        #expect(expectedVersion.verdict(before: nil, after: "1.2.3") == .broken)
        #expect(expectedVersion.verdict(before: nil, after: nil) == .broken)
    }

    @Test(
        arguments: [
            ("840", "BP102,8.40", true), ("8.40", "BP102,8.40", true), ("BP102,8.40", "840", true),
            ("840", "8.40", true), ("840", "BP102,8.30", false), ("84.0", "BP102,8.40", false),
            ("BP102,8.40", "BP103,8.40", false), ("BP102", "BP102,8.40", false), ("", "BP102,8.40", false),
        ]) func `in either form is the number with or without points, alone or in a list`(
            _ text: String, _ shown: String, _ isMet: Bool
        )
    {
        let expectedVersion = ExpectedVersion(inEitherForm: text)
        #expect(expectedVersion.verdict(before: nil, after: shown) == (isMet ? .kept : .broken))
    }

    @Test(
        arguments: [(20_731, "20731 (2.7.31)"), (7, "7"), (UInt32.max, "4294967295")] as [(UInt32, String)])
    func `is written as number and text`(_ number: UInt32, _ text: String) {
        #expect(ExpectedVersion(number: number).description == text)
    }
}
