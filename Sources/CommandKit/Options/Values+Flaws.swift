import Bytes

extension AdapterChoice: ExplainedArgument {
    package static func flaw(in text: String) -> String {
        "an adapter is \(syntax)"
            + Spelling.hint(for: text, in: ["hci0", "sim"])
    }
}

extension WholeNumber: ExplainedArgument {
    package static func flaw(in text: String) -> String {
        "a number from \(Value.min) to \(Value.max) is expected, in decimal without a leading 0 or with 0x in "
            + "hexadecimal"
    }
}

extension VersionText: ExplainedArgument {
    package static func flaw(in text: String) -> String {
        "a version is three numbers such as 2.7.31, the last two below 100; --application-version takes any number"
    }
}

extension BuildTime: ExplainedArgument {
    package static func flaw(in text: String) -> String {
        "a time is a number of seconds since 1970, or in UTC such as 2026-01-31T12:00:00Z"
    }
}
