import UpdateCore

extension UnitUpdate {
    /// What the unit is now; nil where nothing was done to it.
    var deviceState: DeviceState? {
        let effect = procedure.effectOnApplication
        guard entries > 0 || effect != nil else { return nil }
        let application = application(after: effect, seen.program)
        let mayReturn = seen.program != .application && (application == .intact || application == .unknown)
        return DeviceState(
            program: seen.program, address: seen.address ?? candidates.target, application: application,
            part: procedure.part, returnsAfter: mayReturn ? procedure.inactivityLimit : nil)
    }

    /// What was seen counts more than what was reckoned.
    private func application(
        after effect: DeviceState.Application?, _ program: DeviceState.Program
    ) -> DeviceState.Application {
        switch (effect, program) {
        case (nil, _): .intact
        // What was confirmed does not run: nobody knows what is left. And what a running application calls itself does not
        // tell which one it is.
        case (.new, .bootloader), (.new, .application): .unknown
        // What runs while the image is not complete is the old one.
        case (_, .application) where !procedure.targetSignature.isApplication && !isComplete: .intact
        case (let effect?, _): effect
        }
    }

    private var isComplete: Bool { if case .perhapsDone = procedure.linkEnded() { true } else { false } }
}
