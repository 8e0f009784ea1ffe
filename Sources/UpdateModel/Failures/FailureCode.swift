/// The stable name of a failure, a warning or a finding, with all facts about it.
///
/// A code is declared once, as a property of a ``FailureCodeGroup``: `explain`, the exit status, the verdict on a unit
/// of a tray, the rules of the release gate and the tables in the documentation all read this declaration. A code
/// never changes its meaning.
public struct FailureCode: Hashable, Sendable, CustomStringConvertible {
    /// The outcome of a unit of a tray whose attempt ended with a code.
    public enum UnitOutcome: Sendable {
        case failed
        /// The fault is the bench's or the order's, not the unit's.
        case benchError
        /// The unit needs no update.
        case notNeeded
        /// The attempt was stopped, and can be continued.
        case aborted
        /// The unit has the image, but may or may not run it.
        case unknown
    }

    /// The facts, stored once: codes are copied often.
    private final class Facts: Sendable {
        let name: String
        let exit: ExitStatus
        let meaning: String
        let nextStep: Advice
        let topic: FailureTopic?
        let unit: UnitOutcome?
        let onTray: Advice?
        let isUnreached: Bool
        let mayPass: Bool
        let isBenchHold: Bool
        let rule: (category: Rule.Category, level: FindingLevel, prevents: String)?

        init(
            _ name: String, _ exit: ExitStatus, _ meaning: String, _ nextStep: Advice, _ topic: FailureTopic?,
            unit: UnitOutcome? = nil, onTray: Advice? = nil, isUnreached: Bool = false, mayPass: Bool = false,
            isBenchHold: Bool = false,
            rule: (category: Rule.Category, level: FindingLevel, prevents: String)? = nil
        ) {
            (self.name, self.exit, self.meaning, self.nextStep) = (name, exit, meaning, nextStep)
            (self.topic, self.unit, self.onTray, self.rule) = (topic, unit, onTray, rule)
            (self.isUnreached, self.mayPass, self.isBenchHold) = (isUnreached, mayPass, isBenchHold)
        }
    }

    private let facts: Facts

    /// Declares the code `name`, in kebab case.
    ///
    /// - Parameters:
    ///   - exit: the exit status of a command that fails with it; `done` for warnings and notes.
    ///   - meaning: one or more sentences; the first one is the summary.
    ///   - nextStep: a clause without a full stop.
    ///   - topic: the topic, if it is not that of the group.
    ///   - unit: the outcome of a unit of a tray; by default it follows from the exit status.
    ///   - onTray: the next step for a unit of a tray, if it differs.
    ///   - isUnreached: whether the unit was not reached, so that earlier knowledge about it still applies.
    ///   - mayPass: whether `work --follow` tries again after it.
    ///   - isBenchHold: whether it names a hold of a tray that the operator of the bench can release.
    public init(
        _ name: String, _ exit: ExitStatus, _ meaning: String, next nextStep: Advice,
        topic: FailureTopic? = nil, unit: UnitOutcome? = nil, onTray: Advice? = nil,
        isUnreached: Bool = false,
        mayPass: Bool = false, isBenchHold: Bool = false
    ) {
        facts = Facts(
            name, exit, meaning, nextStep, topic, unit: unit, onTray: onTray, isUnreached: isUnreached,
            mayPass: mayPass, isBenchHold: isBenchHold)
    }

    /// Declares the code `name` of findings that a rule of the release gate reports at `level`. `prevents` is the
    /// failure in the field that the rule prevents, as one sentence.
    public init(
        _ name: String, _ exit: ExitStatus, _ meaning: String, next nextStep: Advice,
        topic: FailureTopic? = nil, rule category: Rule.Category, _ level: FindingLevel, prevents: String
    ) {
        facts = Facts(name, exit, meaning, nextStep, topic, rule: (category, level, prevents))
    }

    /// A code that a record or another program names, which this program may not know.
    public init(named name: String) {
        facts = Facts(
            name, .failed, "This code has no explanation yet.",
            "report it with the output of the same command and \(.logLevel, "debug")", nil)
    }

    /// The name, in kebab case.
    public var rawValue: String { facts.name }
    /// The name.
    public var description: String { facts.name }
    /// The exit status of a command that fails with it.
    public var exit: ExitStatus { facts.exit }
    /// What it means, and why it happens.
    public var meaning: String { facts.meaning }
    /// What the user can do.
    public var nextStep: Advice { facts.nextStep }
    /// What the operator of a tray can do.
    public var nextStepOnTray: Advice { facts.onTray ?? facts.nextStep }
    /// The topic, if it is not that of its group.
    public var topic: FailureTopic? { facts.topic }
    /// Whether a unit was not reached, so that earlier knowledge about it still applies.
    public var isUnreached: Bool { facts.isUnreached }
    /// Whether the command may succeed later without a change by the user.
    public var mayPass: Bool { facts.mayPass }
    /// Whether it names a hold of a tray that the operator of the bench can release.
    public var isBenchHold: Bool { facts.isBenchHold }

    /// The first sentence of the meaning.
    public var summary: String {
        String(meaning.firstRange(of: /\.(?= |$)/).map { meaning[..<$0.lowerBound] } ?? meaning[...])
    }

    /// The rule of the release gate that reports it; nil if there is none.
    public var rule: Rule? { facts.rule.map { Rule(self, $0.category, $0.level, $0.prevents) } }

    /// The outcome of a unit of a tray whose attempt ended with it, and with the exit status `status`.
    public func unitOutcome(exiting status: ExitStatus) -> UnitOutcome {
        if let unit = facts.unit { return unit }
        return switch status {
        case .nothingToDo: .notNeeded
        case .usage, .badFile, .noFile, .noAdapter, .internalError, .noPermission: .benchError
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
    /// The groups that do not depend on a vendor, in the order of `explain`.
    public static let common: [any FailureCodeGroup] = [system, file, finding, device, session]
}
