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

/// A task that advice can suggest to a user.
public enum ProgramTask: Hashable, Sendable {
    /// Listen for beacons.
    case scan
    /// Read a beacon's own information.
    case info
    /// Check a release.
    case validate
    /// Show what is in a file.
    case inspect
    /// Install firmware on a beacon.
    case flash
    /// Read the settings of a beacon into a file.
    case readSettings
    /// Write the settings of a file to a beacon.
    case writeSettings
    /// Make a key for signatures.
    case makeKey
    /// Sign a catalogue.
    case signCatalogue
    /// Build a firmware package of a kind; nil for any.
    case build(FirmwareKind?)
}

extension ProgramTask: CustomStringConvertible {
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
    /// Bytes in a block.
    case blockSize = "block size"
    /// Bytes in a packet of a block.
    case chunkSize = "chunk size"
    /// The transport: writes, or a channel.
    case transport
    /// The bank that is written to.
    case bank
    /// The pins of the device's memory.
    case pins
    /// A named set of pins, bank and block size.
    case profile
    /// The number of packets per receipt from the device.
    case receiptInterval = "receipt interval"
    /// The digit that makes a device restore its default settings.
    case restoreDigit = "restoring digit"
    /// A file of passwords and PINs.
    case secrets = "file of secrets"
    /// A risk that is accepted, by name.
    case risk = "accepted risk"
    /// The version that the device has to report after the update.
    case expectedVersion = "expected version"
    /// The device is not checked after the update.
    case unverified = "update without verification"
    /// The device to update.
    case device
    /// The adapter to use.
    case adapter
    /// The adapter is switched on for the run.
    case powersOn = "adapter that is switched on"
    /// The key to check signatures with.
    case publicKey = "public key"
    /// The SoftDevices of which a package requires one.
    case softDevices = "list of SoftDevices"
    /// The device type in a package.
    case deviceType = "device type"
    /// The device revision in a package.
    case deviceRevision = "device revision"
    /// The generation of a package's init packet.
    case initPacketFormat = "format of the init packet"
    /// The version of an application in its package.
    case applicationVersion = "application version"
    /// The version of a bootloader in its package.
    case bootloaderVersion = "bootloader version"
    /// The model of the target of a validation.
    case targetModel = "model of the target"
    /// The build time in an image.
    case buildTime = "build time"
    /// The verdict on a signature is awaited.
    case awaitedSignature = "wait for the signature's verdict"
    /// The name of a model in a file.
    case modelName = "model name"
    /// The number of a model in a file.
    case modelNumber = "model number"
    /// The ids that an application's package lists.
    case softDeviceIDs = "list of SoftDevice ids"
    /// The file of a SoftDevice.
    case softDeviceFile = "SoftDevice file"
    /// The file of an application.
    case applicationFile = "application file"
    /// The package is built for debugging.
    case debugMode = "debug mode"
    /// The number of a catalogue's seal.
    case sealNumber = "number of the seal"
    /// Releases for tests are offered too.
    case testReleases = "test releases"
    /// How versions are ordered.
    case versionScheme = "version scheme"
    /// The journal of runs.
    case journal
    /// An interrupted run continues.
    case resume = "resumption"
    /// Failed units of an earlier run are tried again.
    case retryFailed = "retry of failed units"
    /// How long a scan listens.
    case scanTime = "scan time"
    /// How much is logged.
    case logLevel = "log level"
}
