package import Bluetooth
package import UpdateModel

package struct UnitVerdict: Hashable, Codable, Sendable {
    package var outcome: UnitOutcome
    package var code, during, message, nextStep: String?
    /// The unit's state, if `outcome` alone does not define it.
    package var state: UnitState?

    package init(
        _ outcome: UnitOutcome, code: FailureCode? = nil, during: String? = nil, message: String? = nil,
        nextStep: String? = nil, state: UnitState? = nil
    ) {
        self.outcome = outcome
        self.code = code?.rawValue
        (self.during, self.message, self.nextStep, self.state) = (during, message, nextStep, state)
    }

    /// The verdict for the report of an update. With `acceptsReappearance`, a unit passes that came back without a new
    /// version.
    package init(_ report: UpdateReport, acceptingReappearance acceptsReappearance: Bool) {
        guard !report.hasNoApplication else {
            self.init(
                .unknown, code: .device.applicationMissing, during: "verifying the update",
                message: "the unit confirmed the image and stays in its bootloader, without an application")
            return
        }
        switch report.verified {
        case .version: self.init(.passed)
        // A version other than before is that of the new firmware, even if the package spells it differently.
        case .reappeared
        where report.revisionBefore != nil && report.revision != nil
            && report.revision != report.revisionBefore:
            self.init(.passed)
        case .reappeared where acceptsReappearance: self.init(.passed, code: .tray.versionNotShown)
        case .reappeared, .no:
            let code = FailureCode.tray.versionNotShown
            self.init(
                .unknown, code: code, during: "verifying the update",
                message: "the unit confirmed the image, but " + Self.words(of: report))
        }
    }

    var cause: FailureCode { FailureCode(named: code ?? "unknown") }

    package var reason: String { [code, message].compactMap(\.self).joined(separator: ": ") }

    /// The cause, if it counts against the unit.
    var failure: FailureCode? { outcome.isOfUnit && outcome != .passed ? cause : nil }

    /// The application's version, in words, for an update that it does not verify.
    private static func words(of report: UpdateReport) -> String {
        guard let revision = report.revision else { return "its application does not report a version" }
        let before =
            switch report.revisionBefore {
            case nil: "and this attempt has read none before"
            case revision?: "the same as before, which verifies nothing"
            case let other?: "and reported \(other) before"
            }
        return "its application reports firmware \(revision), \(before)"
    }

    /// Adds the next step that the planner advises for a unit at `address`, unless there is one already.
    package mutating func addNextStep(
        from planner: some UnitPlanner, at address: DeviceAddress? = nil
    ) {
        guard !outcome.isGood, nextStep == nil, let code else { return }
        nextStep = planner.nextStep(after: code, at: address)
    }
}

/// The state of a unit whose update did not end normally, as far as it is known.
package struct UnitState: Hashable, Codable, Sendable {
    /// The running program: `application`, `bootloader` or `unknown`.
    package var program: String
    /// The address where the unit was last seen, with its kind after a slash.
    package var address: String
    /// The state of the unit's application: `intact`, `gone`, `new` or `unknown`.
    package var application: String
    /// The state in one line of text, for people.
    package var words: String

    package init(program: String, address: String, application: String, words: String) {
        (self.program, self.address, self.application, self.words) = (program, address, application, words)
    }

    /// The state of a unit whose program is not known; `application` is the state of its application.
    package init(
        unknownAt address: String, application: DeviceState.Application = .unknown, _ words: String
    ) {
        self.init(
            program: DeviceState.Program.unknown.rawValue, address: address,
            application: application.rawValue, words: "beacon: last seen at \(address); \(words)")
    }

    /// This state after a further attempt that did not reach the unit.
    var unreached: UnitState {
        guard program != DeviceState.Program.unknown.rawValue else { return self }
        var state = self
        state.program = DeviceState.Program.unknown.rawValue
        state.words += ". It was not reached again after that"
        return state
    }

    /// The state of a unit that was told to start its new firmware and has been silent since.
    static func startedUnseen(at address: String) -> UnitState {
        UnitState(
            unknownAt: address,
            "it was told to start the new firmware and was not reached since, so it may run that or the old one"
        )
    }
}
