package import ArgumentParser
import Bluetooth
import Firmware
import FoundationEssentials
import UpdateModel

/// A command-line value with its own error message.
package protocol ExplainedArgument: ExpressibleByArgument {
    /// The message for an invalid `text`, with an example of a valid one.
    static func flaw(in text: String) -> String
}

extension ExplainedArgument {
    /// Parses `text`; for the `transform` of an option.
    @Sendable package static func reading(_ text: String) throws -> Self {
        guard let value = Self(argument: text) else { throw ValidationError(flaw(in: text)) }
        return value
    }
}

extension Option {
    package init<Argument: ExplainedArgument>(
        name: NameSpecification = .long, explained help: ArgumentHelp, completion: CompletionKind? = nil
    ) where Value == Argument? {
        self.init(name: name, help: help, completion: completion, transform: Argument.reading)
    }
}

/// Options whose values have a name in the help. Each initialiser for values that explain their own errors has the same
/// parameters as the one for all values: only then does the compiler prefer it, so that the explanation is not lost.
extension Option {
    package init(
        _ help: String, valueName: String, completion: CompletionKind? = nil
    ) where Value: ExpressibleByArgument {
        self.init(help: ArgumentHelp(help, valueName: valueName), completion: completion)
    }

    package init(
        wrappedValue: Value, _ help: String, name: NameSpecification = .long, valueName: String
    ) where Value: ExpressibleByArgument {
        self.init(wrappedValue: wrappedValue, name: name, help: ArgumentHelp(help, valueName: valueName))
    }

    package init<Argument: ExpressibleByArgument>(
        _ help: String, name: NameSpecification = .long, valueName: String, completion: CompletionKind? = nil
    ) where Value == Argument? {
        self.init(name: name, help: ArgumentHelp(help, valueName: valueName), completion: completion)
    }

    package init<Argument: ExpressibleByArgument>(
        wrappedValue: Value, _ help: String, valueName: String, completion: CompletionKind? = nil
    ) where Value == [Argument] {
        self.init(
            wrappedValue: wrappedValue, help: ArgumentHelp(help, valueName: valueName), completion: completion
        )
    }

    package init<Argument: ExplainedArgument>(
        _ help: String, name: NameSpecification = .long, valueName: String, completion: CompletionKind? = nil
    ) where Value == Argument? {
        self.init(name: name, explained: ArgumentHelp(help, valueName: valueName), completion: completion)
    }

    package init(
        _ help: String, valueName: String, completion: CompletionKind? = nil
    ) where Value: ExplainedArgument {
        self.init(
            help: ArgumentHelp(help, valueName: valueName), completion: completion, transform: Value.reading)
    }

    package init(
        wrappedValue: Value, _ help: String, name: NameSpecification = .long, valueName: String
    ) where Value: ExplainedArgument {
        self.init(
            wrappedValue: wrappedValue, name: name, help: ArgumentHelp(help, valueName: valueName),
            transform: Value.reading)
    }

    package init<Argument: ExplainedArgument>(
        wrappedValue: Value, _ help: String, valueName: String, completion: CompletionKind? = nil
    ) where Value == [Argument] {
        self.init(
            wrappedValue: wrappedValue, help: ArgumentHelp(help, valueName: valueName),
            completion: completion, transform: Argument.reading)
    }
}

/// A number on the command line: decimal, or hexadecimal after `0x`.
package struct WholeNumber<Value: FixedWidthInteger & Sendable>: ExplainedArgument, Hashable, Sendable {
    package let value: Value

    package init(_ value: Value) { self.value = value }

    package init?(argument: String) {
        let isHexadecimal = argument.hasPrefix("0x") || argument.hasPrefix("0X")
        let digits = isHexadecimal ? argument.dropFirst(2) : argument[...]
        // Some programs read a leading 0 as octal; and the integers' initialiser would accept a sign.
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
            isHexadecimal || digits.count == 1 || digits.first != "0",
            let value = Value(digits, radix: isHexadecimal ? 16 : 10)
        else { return nil }
        self.value = value
    }

    package var defaultValueDescription: String { "\(value)" }

    package static func flaw(in text: String) -> String {
        "a number from \(Value.min) to \(Value.max) is expected, in decimal without a leading 0 or with 0x in "
            + "hexadecimal"
    }
}

/// A time: seconds since 1970, or ISO 8601 in UTC such as `2026-01-31T12:00:00Z`.
package struct TimeArgument: ExplainedArgument, Hashable, Sendable {
    /// Seconds since 1970 in UTC.
    package let seconds: UInt32

    init(seconds: UInt32) { self.seconds = seconds }

    package init?(argument: String) {
        if argument.allSatisfy({ $0.isASCII && $0.isNumber }) {
            guard let seconds = UInt32(argument) else { return nil }
            self.seconds = seconds
            return
        }
        guard let date = try? Date(argument, strategy: .iso8601),
            let seconds = UInt32(exactly: date.timeIntervalSince1970),
            // The parser moves nonexistent days, such as 31 April, into the next month; such a date is refused.
            UnixTime.text(seconds) == argument
        else { return nil }
        self.seconds = seconds
    }

    /// The name of the variable that reproducible builds set (reproducible-builds.org/specs/source-date-epoch).
    package static let variable = "SOURCE_DATE_EPOCH"

    /// The time in ``variable``, or 0. Never the current time, so that the same input gives the same bytes.
    package static func reproducible(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(ValidationError) -> TimeArgument {
        guard let text = environment[variable] else { return TimeArgument(seconds: 0) }
        guard !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }), let seconds = UInt32(text)
        else { throw ValidationError("\(variable) is not a number of seconds from 0 to \(UInt32.max)") }
        return TimeArgument(seconds: seconds)
    }

    package static func flaw(in text: String) -> String {
        "a time is a number of seconds since 1970, or in UTC such as 2026-01-31T12:00:00Z"
    }
}

/// A version as nrfutil packs it into a number: major · 10000 + minor · 100 + patch.
package struct VersionText: ExplainedArgument {
    package let value: UInt32

    package init?(argument: String) {
        let words = argument.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = words.compactMap { word in
            word.allSatisfy { ("0"..."9").contains($0) } ? UInt32(word) : nil
        }
        // From 100 on, two versions would have the same number: 1.100.0 and 2.0.0.
        guard words.count == 3, numbers.count == 3, numbers[1] < 100, numbers[2] < 100,
            numbers[0] <= UInt32.max / 10000 - 1
        else { return nil }
        value = numbers[0] * 10000 + numbers[1] * 100 + numbers[2]
    }

    package static func flaw(in text: String) -> String {
        "a version is three numbers such as 2.7.31, the last two below 100; --application-version takes any number"
    }
}

extension DeviceSelector: ExplainedArgument {
    public init?(argument: String) { self.init(argument) }
}
