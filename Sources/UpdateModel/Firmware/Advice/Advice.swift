/// Advice in sentences that name settings and tasks, but no program's options or commands.
///
/// A program inserts its own names with `advice.words { … }`. `description` uses neutral ones.
///
///     let advice: Advice = "try again nearer to the device, or with \(.blockSize, "240")"
public struct Advice: Hashable, Sendable {
    /// A piece of a sentence.
    public enum Part: Hashable, Sendable {
        /// Plain text.
        case text(String)
        /// A setting, with its recommended value.
        case setting(Setting, String?)
        /// A task, performed with a setting.
        case task(ProgramTask, Setting?, String?)
    }

    /// The pieces in their order.
    public private(set) var parts: [Part]

    /// The sentence composed of `parts`.
    public init(_ parts: [Part]) { self.parts = parts }

    /// A sentence without settings.
    public init(_ text: String) { parts = [.text(text)] }

    /// The sentence with every setting and task replaced by the words of `name`; texts stay unchanged.
    public func words(_ name: (Part) -> String) -> String {
        parts.map { if case .text(let text) = $0 { text } else { name($0) } }.joined()
    }

    /// The sentence with a capital letter at its beginning.
    public var asSentence: Advice {
        guard case .text(let text)? = parts.first else { return self }
        return Advice([.text(text.prefix(1).uppercased() + text.dropFirst())] + parts.dropFirst())
    }

    /// `first`, then `second`.
    public static func + (first: Advice, second: Advice) -> Advice { Advice(first.parts + second.parts) }
}

extension Advice: CustomStringConvertible {
    /// The sentence in neutral words, for programs that have no options.
    public var description: String {
        words { part in
            switch part {
            case .text(let text): text
            case .setting(let setting, let value): Self.words(setting, value)
            case .task(let task, nil, _): task.description
            case .task(let task, let setting?, let value):
                "\(task) with \(Self.words(setting, value))"
            }
        }
    }

    private static func words(_ setting: Setting, _ value: String?) -> String {
        "the \(setting.rawValue)" + (value.map { " \($0)" } ?? "")
    }
}

extension Advice: ExpressibleByStringInterpolation {
    /// A sentence under construction.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        /// Creates it empty.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Appends a text.
        public mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { parts.append(.text(literal)) }
        }

        /// Appends the description of `value`.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            parts.append(.text(value.description))
        }

        /// Appends a setting, with its recommended value.
        public mutating func appendInterpolation(_ setting: Setting, _ value: String? = nil) {
            parts.append(.setting(setting, value))
        }

        /// Appends a task, performed with a setting.
        public mutating func appendInterpolation(
            task: ProgramTask, _ setting: Setting? = nil, _ value: String? = nil
        ) {
            parts.append(.task(task, setting, value))
        }

        /// Appends another sentence.
        public mutating func appendInterpolation(_ advice: Advice) { parts += advice.parts }
    }

    /// The sentence of an interpolated literal.
    public init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

    /// The sentence of a literal.
    public init(stringLiteral value: String) { parts = [.text(value)] }
}
