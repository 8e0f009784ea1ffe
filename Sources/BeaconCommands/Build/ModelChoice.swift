import ArgumentParser
import FBeacon

/// A Feasycom model on the command line: a name of the vendor's two tables, or a number.
enum ModelChoice: ExpressibleByArgument, Hashable, Sendable {
    /// The name says which of two models with one number is meant, so it is written too.
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
