import ArgumentParser

/// A value on the command line that explains what is wrong with a text.
protocol ExplainedArgument: ExpressibleByArgument {
    /// Why `text` is not a value, and what one looks like.
    static func flaw(in text: String) -> String
}

extension ExplainedArgument {
    /// The value in `text`, for the `transform` of an option.
    @Sendable static func reading(_ text: String) throws -> Self {
        guard let value = Self(argument: text) else { throw ValidationError(flaw(in: text)) }
        return value
    }
}
