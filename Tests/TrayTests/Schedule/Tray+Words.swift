import UpdateModel

@testable import Tray

extension UnitVerdict {
    static let passed = Self(.passed)
    static let notNeeded = Self(.notNeeded)
    static let skipped = Self(.skipped)
    static let aborted = Self(.aborted)
    static func failed(_ cause: FailureCode) -> Self { Self(.failed, code: cause) }
    static func unknown(_ cause: FailureCode) -> Self { Self(.unknown, code: cause) }
    static func benchError(_ cause: FailureCode) -> Self { Self(.error, code: cause) }
}

extension SerialNumber: ExpressibleByIntegerLiteral {
    /// The unit at place `value`, or the adapter `hci` and `value`.
    package init(integerLiteral value: Int) { self.init(value) }
}

extension TraySchedule {
    /// Applies `facts` at one moment, given in seconds; returns all resulting steps.
    @discardableResult mutating func apply(_ facts: TrayFact..., at seconds: Double) -> [TrayStep] {
        facts.flatMap { apply($0, at: .milliseconds(Int((seconds * 1000).rounded()))) }
    }

    /// The units' verdicts in the tray's order; nil for those that have not ended.
    var verdicts: [UnitVerdict?] {
        units.map { if case .ended(let verdict) = $0.phase { verdict } else { nil } }
    }

    /// Units without progress at the moment.
    var stalled: [UnitNumber] { active.filter { self[$0].isStalled }.sorted() }

    /// Every unit is heard equally by every adapter.
    @discardableResult mutating func hearEveryone() -> [TrayStep] {
        units.indices.flatMap { unit in
            adapters.map(\.number).flatMap {
                apply(.heard(UnitNumber(unit), by: $0, dBm: -60), at: .zero)
            }
        }
    }
}

extension [TrayStep] {
    /// The units that may connect.
    var connecting: [UnitNumber] { compactMap { if case .connect(let plan) = $0 { plan.unit } else { nil } } }
    /// The units whose updates begin.
    var begun: [UnitNumber] { compactMap { if case .begin(let unit, _) = $0 { unit } else { nil } } }
    /// The unit to blink, with its adapter.
    var shown: [UnitNumber: AdapterNumber] {
        [UnitNumber: AdapterNumber](
            compactMap { if case .blink(let unit, let adapter) = $0 { (unit, adapter) } else { nil } },
            uniquingKeysWith: { first, _ in first })
    }
    /// The intervals of the links.
    var intervals: [Duration] {
        compactMap {
            switch $0 {
            case .connect(let plan): plan.interval
            case .retune(_, let interval): interval
            default: nil
            }
        }
    }
}
