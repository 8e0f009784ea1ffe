public import Bytes

/// Options for one vendor's devices, and how a user gives them.
public protocol VendorOptions: Sendable {
    init()

    /// The section of a program's help that lists them; empty for the general one.
    static var title: String { get }
    /// The options that a user can give, in the order of the help.
    static var options: [VendorOption] { get }
    /// Why `values`, each of which is valid, are refused in combination; nil if they are not.
    static func flaw(in values: OptionValues) -> Advice?
    /// The user's `values`, completed by those for the device's model.
    static func completed(_ values: OptionValues, by model: OptionValues) -> OptionValues
    /// The file that `values` require; nil for none.
    static func file(for values: OptionValues) -> OptionFile?
    /// Adopts `values`, with the content of the file that they require.
    mutating func adopt(_ values: OptionValues, from file: [UInt8]?) throws(OptionFailure)
}

extension VendorOptions {
    public static var title: String { "" }
    public static var options: [VendorOption] { [] }
    public static func flaw(in values: OptionValues) -> Advice? { nil }
    public static func completed(_ values: OptionValues, by model: OptionValues) -> OptionValues {
        var all = values
        for option in options { all[option] = values[option] ?? model[option] }
        return all
    }
    public static func file(for values: OptionValues) -> OptionFile? { nil }
    public mutating func adopt(_ values: OptionValues, from file: [UInt8]?) throws(OptionFailure) {}
}

/// An option of one vendor, or of all; each program offers it in its own way.
public struct VendorOption: Sendable, Hashable {
    /// How its value is written.
    public enum Form: Sendable {
        case flag
        case text
        /// As the path of a file.
        case file
        /// As a number of this type.
        case number(any (FixedWidthInteger & Sendable).Type)
    }

    /// A kind of file that can set it.
    public enum Source: Sendable {
        /// A catalogue, for a model.
        case catalogue
        /// A tray file, for one unit.
        case tray
    }

    /// The name: lower-case words with hyphens.
    public let name: String
    /// What it sets, for programs without options.
    public let title: String
    public let form: Form
    /// The placeholder of its value in help.
    public let valueName: String
    /// A sentence for users.
    public let help: String
    /// The files that can set it; a command line always can.
    public let sources: Set<Source>
    private let refusal: @Sendable (String) -> Advice?

    /// An option. `refusal` returns why a text is not a value, nil if it is one.
    public init(
        _ name: String, title: String? = nil, _ form: Form, _ valueName: String = "", help: String,
        in sources: Set<Source> = [],
        refusal: @escaping @Sendable (String) -> Advice? = { _ in nil }
    ) {
        self.name = name
        self.title = title ?? name.replacing("-", with: " ")
        (self.form, self.valueName, self.help) = (form, valueName, help)
        (self.sources, self.refusal) = (sources, refusal)
    }

    /// Its name in catalogues and tray files: with underscores.
    public var key: String { name.replacing("-", with: "_") }
    public var isFlag: Bool { if case .flag = form { true } else { false } }

    /// Why `text` is not a value; nil if it is.
    public func flaw(of text: String) -> Advice? {
        if let flaw = refusal(text) { return flaw }
        if case .number(let type) = form, !type.reads(text) { return "\(self) is \(type.range)" }
        return isFlag && text != "true" && text != "false" ? "\(self) is true or false" : nil
    }

    /// Whether both have the same name.
    public static func == (first: VendorOption, second: VendorOption) -> Bool { first.name == second.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension FixedWidthInteger {
    fileprivate static func reads(_ text: String) -> Bool { Self(text) != nil }
    fileprivate static var range: String { "a whole number from \(min) to \(max)" }
}

public struct OptionValues: Hashable, Sendable {
    private var texts: [VendorOption: String] = [:]

    public init() {}

    /// The text of an option's value, as given; `true` or `false` for a flag. Nil if the option is not given.
    public subscript(_ option: VendorOption) -> String? {
        get { texts[option] }
        set { texts[option] = newValue }
    }

    /// Whether a flag is given, and not as false.
    public func isSet(_ flag: VendorOption) -> Bool { self[flag].map { $0 != "false" } ?? false }

    /// The number that is an option's value; nil if it is not given.
    public func number<Number: FixedWidthInteger>(_ option: VendorOption) -> Number? {
        self[option].flatMap { Number($0) }
    }
}

/// A file that options require: the user's, or one that comes with a program.
public struct OptionFile: Sendable {
    /// The option by which the user names another file.
    public let option: VendorOption
    /// The path that the user gave; nil for the file that comes with the program.
    public let path: String?
    /// The path among the files that come with a program.
    public let shared: String
    /// What the user can do if there is no such file.
    public let remedy: Advice

    public init(_ option: VendorOption, path: String?, shared: String, remedy: Advice) {
        (self.option, self.path, self.shared, self.remedy) = (option, path, shared, remedy)
    }
}

/// Why the file that options require does not provide their values.
public enum OptionFailure: Error, Sendable {
    case invalid(FailureCode, YAMLProblem)
    /// The file lacks what the options name; the text follows the file's path in a message.
    case missing(FailureCode, String)
}
