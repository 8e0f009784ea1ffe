/// The stable name of a failure, a warning or a finding, with all facts about it.
///
/// A code is declared once, as a property of a ``FailureCodeGroup``: `explain`, the exit status, the verdict on a unit
/// of a tray, the rules of the release gate and the tables in the documentation all read this declaration. A code
/// never changes its meaning. Codes are compared by their names.
public final class FailureCode: Hashable, Sendable, CustomStringConvertible {
    /// The name, in kebab case.
    public let rawValue: String
    /// The exit status of a command that fails with it; `done` for warnings and notes.
    public let exit: ExitStatus
    /// What it means, and why it happens: one or more sentences, of which the first one is the summary.
    public let meaning: String
    /// What the user can do: a clause without a full stop. A failure may have a next step of its own
    /// (``UpdateFailure/remedy``).
    public let nextStep: Advice
    /// The topic; nil for the topic of its group.
    public let topic: FailureTopic?
    /// Whether a unit was not reached, so that earlier knowledge about it still applies.
    public let isUnreached: Bool
    /// Whether the command may succeed later without a change by the user: `work --follow` tries again after it.
    public let mayPass: Bool
    /// Whether it names a hold of a tray that the operator of the bench can release.
    public let isBenchHold: Bool
    private let unit: UnitOutcome?
    private let onTray: Advice?
    private let gateRule: (category: Rule.Category, level: FindingLevel, prevents: String)?

    /// Declares the code `name`; `unit` is the outcome of a unit of a tray, which by default follows from the exit
    /// status, and `onTray` the next step for a unit of a tray, if it differs.
    public init(
        _ name: String, _ exit: ExitStatus, _ meaning: String, next nextStep: Advice,
        topic: FailureTopic? = nil, unit: UnitOutcome? = nil, onTray: Advice? = nil,
        isUnreached: Bool = false, mayPass: Bool = false, isBenchHold: Bool = false
    ) {
        (rawValue, self.exit, self.meaning, self.nextStep) = (name, exit, meaning, nextStep)
        (self.topic, self.unit, self.onTray, gateRule) = (topic, unit, onTray, nil)
        (self.isUnreached, self.mayPass, self.isBenchHold) = (isUnreached, mayPass, isBenchHold)
    }

    /// Declares the code `name` of findings that a rule of the release gate reports at `level`. `prevents` is the
    /// failure in the field that the rule prevents, as one sentence.
    public init(
        _ name: String, _ exit: ExitStatus, _ meaning: String, next nextStep: Advice,
        topic: FailureTopic? = nil, rule category: Rule.Category, _ level: FindingLevel, prevents: String
    ) {
        (rawValue, self.exit, self.meaning, self.nextStep) = (name, exit, meaning, nextStep)
        (self.topic, unit, onTray, gateRule) = (topic, nil, nil, (category, level, prevents))
        (isUnreached, mayPass, isBenchHold) = (false, false, false)
    }

    /// A code that a record or another program names, which this program may not know.
    public convenience init(named name: String) {
        self.init(
            name, .failed, "This code has no explanation yet.",
            next: "report it with the output of the same command and \(.logLevel, "debug")")
    }

    public var description: String { rawValue }
    /// What the operator of a tray can do.
    public var nextStepOnTray: Advice { onTray ?? nextStep }

    /// The first sentence of ``meaning``.
    public var summary: String {
        String(meaning.firstRange(of: /\.(?= |$)/).map { meaning[..<$0.lowerBound] } ?? meaning[...])
    }

    /// The rule of the release gate that reports it; nil if there is none.
    public var rule: Rule? { gateRule.map { Rule(self, $0.category, $0.level, $0.prevents) } }

    /// The outcome of a unit of a tray whose attempt ended with it, and with the exit status `status`.
    public func unitOutcome(exiting status: ExitStatus) -> UnitOutcome {
        if let unit { return unit }
        return switch status {
        case .nothingToDo: .notNeeded
        case .usage, .badFile, .noFile, .noAdapter, .internalError, .noPermission: .error
        case .done, .failed, .deviceNotFound, .tryAgain, .interrupted: .failed
        }
    }

    public static func == (first: FailureCode, second: FailureCode) -> Bool {
        first.rawValue == second.rawValue
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

/// The title under which `explain` and the documentation list codes.
public struct FailureTopic: Hashable, Sendable {
    public let title: String

    public init(_ title: String) { self.title = title }

    public static let commandLine = FailureTopic("Command line, adapter and files of options")
    public static let files = FailureTopic("Files")
    public static let findings = FailureTopic("Findings")
    public static let release = FailureTopic("Release")
    public static let devices = FailureTopic("Devices")
    public static let sessions = FailureTopic("Sessions")
    public static let refusals = FailureTopic("What bootloaders refuse")
    public static let outcomes = FailureTopic("Outcomes")
}

/// A group of codes that belong together. Each stored property of the type ``FailureCode`` declares one, so a code
/// cannot be thrown without being listed.
public protocol FailureCodeGroup: Sendable {
    static var topic: FailureTopic { get }
}

extension FailureCodeGroup {
    public var codes: [FailureCode] {
        Mirror(reflecting: self).children.compactMap { $0.value as? FailureCode }
    }

    public var topics: [(topic: FailureTopic, code: FailureCode)] {
        codes.map { ($0.topic ?? Self.topic, $0) }
    }
}

extension FailureCode {
    public static let system = SystemCodes()
    public static let file = FileCodes()
    public static let finding = FindingCodes()
    public static let device = DeviceCodes()
    public static let session = SessionCodes()

    /// The groups that do not depend on a vendor, in the order of `explain`.
    public static let common: [any FailureCodeGroup] = [system, file, finding, device, session]
}
