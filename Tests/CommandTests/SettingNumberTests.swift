import Bytes
import CommandKit
import Testing
import UpdateModel

/// The numbers of settings that the program does not know, in the values of `config read --json`.
@Suite struct `A number of an unknown setting` {
    @Test(arguments: [
        ("0", "0"), ("-7", "-7"), ("1.5", "1.5"), ("1.50", "1.5"), ("1e3", "1000"), ("-1.5e-7", "-1.5e-07"),
        ("9007199254740993", "9007199254740993"), ("-9223372036854775808", "-9223372036854775808"),
        ("18446744073709551615", "18446744073709551615"), ("36.599998474121094", "36.599998474121094"),
        ("0.0", "0"),
    ])
    func `stays a number if it keeps its digits`(written: String, shown: String) {
        #expect(SettingValue.json("[\(written)]").value.json == "[\(shown)]")
        #expect(SettingValue.json("{\"a\":\(written)}").value.json == "{\"a\":\(shown)}")
    }

    @Test(arguments: [
        "18446744073709551616", "-9223372036854775809", "123456789012345678901234567890",
        "123456789.1234567891", "0.12345678901234567890", "1e400", "-1e400", "1e-400", "1.23456789e-320",
        "1234567890123456789e3",
    ])
    func `becomes a text as written if it would lose digits`(written: String) {
        #expect(SettingValue.json(written).value == .text(written))
        #expect(SettingValue.json("[[\(written)]]").value.json == "[[\"\(written)\"]]")
    }
}
