import ArgumentParser
import Bytes
import CommandKit
import Feasycom

/// A Feasycom model on the command line: a name from the vendor's two tables, or a number.
enum ModelChoice: ExpressibleByArgument, Hashable, Sendable {
    /// The name distinguishes two models with the same number, so it is written too.
    case name(String, ModelNumber)
    case number(ModelNumber)

    init?(argument: String) {
        if let number = WholeNumber<UInt16>(argument: argument) {
            self = .number(ModelNumber(rawValue: number.value))
        } else if let number = ModelNumber.named(argument) {
            self = .name(argument, number)
        } else {
            return nil
        }
    }

    var number: ModelNumber {
        switch self {
        case .name(_, let number), .number(let number): number
        }
    }

    var name: String? {
        if case .name(let name, _) = self { name } else { nil }
    }
}

extension ModelChoice: ExplainedArgument {
    static func flaw(in text: String) -> String {
        "'\(text)' is neither a model in Feasycom's tables nor a number from 0 to 65535"
            + Spelling.hint(
                for: text, in: ModelNumber.allNames,
                otherwise:
                    "; names look like BP102, and --model-type names a model that is not in the tables")
    }
}
