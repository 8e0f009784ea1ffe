package import ArgumentParser

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
