import ArgumentParser
public import Hooks

extension Hook: ExplainedArgument {
    /// The hook of a value on the command line.
    public init?(argument: String) { self.init(argument) }

    static func flaw(in text: String) -> String {
        "a hook is NAME=COMMAND, with a name of up to 32 letters, digits, '-', '_' and '.', as label='./print-label --copies 1'"
    }
}
