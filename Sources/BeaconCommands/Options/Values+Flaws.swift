import FBeacon
import NordicDFU
import Spelling

extension AdapterChoice: ExplainedArgument {
    static func flaw(in text: String) -> String {
        "an adapter is 'hci0' and so on, 'sim', or 'sim:FILE' for a scenario"
            + Spelling.hint(for: text, in: ["hci0", "sim"])
    }
}

extension WholeNumber: ExplainedArgument {
    static func flaw(in text: String) -> String {
        "a number from \(Value.min) to \(Value.max) is expected, in decimal without a leading 0 or with 0x in hexadecimal"
    }
}

extension VersionText: ExplainedArgument {
    static func flaw(in text: String) -> String {
        "a version is three numbers such as 2.7.31, the last two below 100; --application-version takes any number"
    }
}

extension BuildTime: ExplainedArgument {
    static func flaw(in text: String) -> String {
        "a time is given in seconds since 1970, or in UTC as in 2026-01-31T12:00:00Z"
    }
}

extension SoftDeviceList: ExplainedArgument {
    static func flaw(in text: String) -> String {
        let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let unknown = words.first { SoftDeviceList(argument: $0) == nil } ?? text
        let names = SoftDeviceNames.all
        let family = names.filter { $0.hasPrefix(unknown.lowercased() + "_") }
        let hint = Spelling.hint(for: unknown, in: names)
        let advice =
            !family.isEmpty
            ? "; it is one of \(family.joined(separator: ", "))"
            : !hint.isEmpty ? hint : "; `beacon-dfu inspect` shows the id of a SoftDevice's file"
        return "'\(unknown)' is neither an id of a SoftDevice such as 0xB6 nor a name such as s140_6.1.1"
            + advice
    }
}

extension ModelChoice: ExplainedArgument {
    static func flaw(in text: String) -> String {
        "'\(text)' is not a model of Feasycom's tables, nor a number from 0 to 65535"
            + Spelling.hint(
                for: text, in: ModelNumber.allNames,
                otherwise:
                    "; names are such as BP102, and --model-type gives a name to a model that is in no table")
    }
}
