/// Advice in sentences that name settings, options of vendors and tasks, but no program's options or commands.
///
/// A program inserts its own names with `advice.words { … }`. `description` uses neutral names.
///
///     let advice: Advice = "try again nearer to the device, or on another \(.adapter)"
public struct Advice: Hashable, Sendable, CustomStringConvertible {
    public enum Part: Hashable, Sendable {
        case text(String)
        /// A setting, with its recommended value; nil if no value is recommended.
        case setting(Setting, String?)
        /// A vendor's option, with its recommended value; nil if no value is recommended.
        case option(VendorOption, String?)
        /// A task, with a setting to use and the setting's recommended value; nil for none.
        case task(ProgramTask, Setting?, String?)
    }

    public private(set) var parts: [Part]

    public init(_ parts: [Part]) { self.parts = parts }
    public init(_ text: String) { parts = [.text(text)] }

    /// The sentence, in which every setting, option and task is replaced by the result of `name`.
    public func words(_ name: (Part) -> String) -> String {
        parts.map { if case .text(let text) = $0 { text } else { name($0) } }.joined()
    }

    /// The sentence with a capital letter at its beginning.
    public var asSentence: Advice {
        guard case .text(let text)? = parts.first else { return self }
        return Advice([.text(text.prefix(1).uppercased() + text.dropFirst())] + parts.dropFirst())
    }

    public static func + (first: Advice, second: Advice) -> Advice { Advice(first.parts + second.parts) }

    /// The sentence in neutral words, for programs that have no options.
    public var description: String {
        words { part in
            switch part {
            case .text(let text): text
            case .setting(let setting, let value): Self.words(setting.rawValue, value)
            case .option(let option, let value): Self.words(option.title, value)
            case .task(let task, nil, _): task.description
            case .task(let task, let setting?, let value):
                "\(task) with \(Self.words(setting.rawValue, value))"
            }
        }
    }

    private static func words(_ setting: String, _ value: String?) -> String {
        "the \(setting)" + (value.map { " \($0)" } ?? "")
    }
}

extension Advice: ExpressibleByStringInterpolation {
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { parts.append(.text(literal)) }
        }

        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            parts.append(.text(value.description))
        }

        public mutating func appendInterpolation(_ setting: Setting, _ value: String? = nil) {
            parts.append(.setting(setting, value))
        }

        public mutating func appendInterpolation(_ option: VendorOption, _ value: String? = nil) {
            parts.append(.option(option, value))
        }

        public mutating func appendInterpolation(
            task: ProgramTask, _ setting: Setting? = nil, _ value: String? = nil
        ) {
            parts.append(.task(task, setting, value))
        }

        public mutating func appendInterpolation(_ advice: Advice) { parts += advice.parts }
    }

    public init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }
    public init(stringLiteral value: String) { parts = [.text(value)] }
}

/// A task that advice can suggest to a user.
public enum ProgramTask: Hashable, Sendable, CustomStringConvertible {
    case scan
    case info
    case validate
    case inspect
    case flash
    case readSettings
    case writeSettings
    case makeKey
    case signCatalogue
    /// Build a firmware package of a kind; nil for any.
    case build(FirmwareKind?)

    /// The task in neutral words, for programs that have no commands.
    public var description: String {
        switch self {
        case .scan: "a scan"
        case .info: "a query of the beacon"
        case .validate: "validation"
        case .inspect: "an inspection of the file"
        case .flash: "an update"
        case .readSettings: "reading of the settings"
        case .writeSettings: "writing of the settings"
        case .makeKey: "a key generator"
        case .signCatalogue: "signing of the catalogue"
        case .build(nil): "a build of a package"
        case .build(let kind?): "a build of a package of kind \(kind)"
        }
    }
}

/// A setting for validating, building or installing firmware. Each program has its own name for it: an option,
/// a field, a button. The raw value is a neutral name.
public enum Setting: String, Hashable, Sendable, CaseIterable {
    case secrets = "file of secrets"
    case risk = "accepted risk"
    /// The version that the device has to report after the update.
    case expectedVersion = "expected version"
    case unverified = "update without verification"
    case device
    case adapter
    /// Switches the adapter on for the run.
    case powersOn = "adapter that is switched on"
    /// The key to check signatures with.
    case publicKey = "public key"
    /// The SoftDevices, one of which a package requires.
    case softDevices = "list of SoftDevices"
    case deviceType = "device type"
    case deviceRevision = "device revision"
    /// The generation of a package's init packet.
    case initPacketFormat = "format of the init packet"
    case applicationVersion = "application version"
    case bootloaderVersion = "bootloader version"
    case targetModel = "model of the target"
    case buildTime = "build time"
    case modelName = "model name"
    case modelNumber = "model number"
    /// The SoftDevice ids that an application's package lists.
    case softDeviceIDs = "list of SoftDevice ids"
    case softDeviceFile = "SoftDevice file"
    case applicationFile = "application file"
    case debugMode = "debug mode"
    /// The number of a catalogue's seal.
    case sealNumber = "number of the seal"
    /// Offers releases for tests as well.
    case testReleases = "test releases"
    case versionScheme = "version scheme"
    case journal
    case resume = "resumption"
    case retryFailed = "retry of failed units"
    case scanTime = "scan time"
    case logLevel = "log level"
}
