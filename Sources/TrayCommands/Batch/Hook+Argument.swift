import ArgumentParser
public import CommandKit
public import TrayJournal

extension Hook: ExplainedArgument {
    /// Parses a value of the command line.
    public init?(argument: String) { self.init(argument) }

    package static func flaw(in text: String) -> String {
        "a hook is NAME=COMMAND, with a name of up to 32 letters, digits, '-', '_' and '.', for example label='./print-label --copies 1'"
    }
}
