import Testing
import UpdateModel

@Suite struct `Settings before and after an update` {
    private func told(_ values: [String: SettingValue], unread: [String: String] = [:]) -> ReportedSettings {
        var told = ReportedSettings()
        (told.values, told.unread, told.unknown) = (values, unread, ["new"])
        return told
    }

    @Test func `are compared one by one, and those not compared are named`() {
        let before = told(
            [
                "a": .number(1), "b": .text("1"), "new": .json("[1]"), "srObj[2].log": .number(0),
                "gone": .number(3),
            ],
            unread: ["trObj": "refused"])
        let after = told(
            ["a": .number(1), "b": .number(1), "new": .json("[1]"), "more": .number(0)],
            unread: ["trObj": "refused", "srObj": "refused"])
        let comparison = SettingsComparison(before, after)
        #expect(comparison.rows.map(\.name) == ["a", "b", "gone", "new"])
        #expect(comparison.changed.map(\.name) == ["b", "gone"])
        #expect(comparison.rows.filter { !$0.isKnown }.map(\.name) == ["new"])
        #expect(comparison.gaps.map(\.name) == ["more", "srObj", "trObj"])
        #expect("\(comparison)" == "2 of 4 settings changed")
        #expect(
            comparison.lines == [
                "  a: 1, as before", "  b: 1 -> 1", "  gone: 3 -> gone",
                "  new (unknown key): [1], as before",
                "  more: not compared, it was not there before the update",
                "  srObj: not compared, not read after the update: refused",
                "  trObj: not compared, not read, before the update or after it: refused",
            ])
        #expect("\(SettingsComparison(before, before))" == "all 5 settings are as before")
    }
}
