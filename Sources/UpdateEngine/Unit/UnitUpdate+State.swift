import UpdateModel

extension UnitUpdate {
    /// The state of the unit now; nil if nothing was done to it.
    var deviceState: DeviceState? {
        let effect = procedure.effectOnApplication
        guard entries > 0 || effect != nil else { return nil }
        let application = application(after: effect, seen.program)
        let mayReturn = seen.program != .application && (application == .intact || application == .unknown)
        return DeviceState(
            program: seen.program, address: seen.address ?? candidates.target, application: application,
            part: procedure.part, returnsAfter: mayReturn ? procedure.inactivityLimit : nil)
    }

    /// An observed program takes precedence over the predicted effect.
    private func application(
        after effect: DeviceState.Application?, _ program: DeviceState.Program
    ) -> DeviceState.Application {
        switch (effect, program) {
        case (nil, _): .intact
        // A confirmed image that does not run: the result is unknown. And the version text of a running application
        // does not show which one it is.
        case (.new, .bootloader), (.new, .application): .unknown
        // While the image is incomplete, a running application is the old one.
        case (_, .application) where !procedure.targetSignature.isApplication && !isComplete: .intact
        case (let effect?, _): effect
        }
    }

    private var isComplete: Bool { if case .perhapsDone = procedure.linkEnded() { true } else { false } }
}
