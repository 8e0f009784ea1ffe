import FirmwareModel
public import UpdateCore

/// What stands in the way of an update while the application runs, and what the update makes of that application.
extension SecureProcedure {
    /// An init packet costs nothing before it is executed. From then on the old application is kept only where the new
    /// image fits beside it, and no request tells how much room there is (nordic-secure.md, Personalities).
    public var effectOnApplication: DeviceState.Application? {
        update.isInitInDoubt ? .unknown : update.effect
    }

    /// The device has answered, whatever it said.
    mutating func noteAnswer(to request: SecureRequest) {
        if case .execute(.command, _) = request { update.isInitInDoubt = false }
        if case .create = request { update.effect = update.effect ?? .intact }
    }

    /// That of stock bootloaders (nordic-secure.md, Timing).
    public var inactivityLimit: Duration? { .seconds(120) }

    /// A version that the bootloader would refuse, or that is there already, and a chip that the package is not for.
    /// System parts say nothing that an application does.
    public func check(_ running: ApplicationFacts) throws(UpdateFailure) -> [UpdateNotice] {
        guard image.role == .application else { return [] }
        if !risks.contains(.wrongFamily) { try checkChip(running) }
        guard let number = image.firmwareVersion, let shown = running.version else { return [] }
        switch ExpectedVersion.order(of: number, to: shown) {
        case .same: return try InstalledVersion(shown).notices(allowing: risks)
        case .lower where !risks.contains(.lowerVersion):
            throw UpdateFailure(
                .versionTooLow, during: InstalledVersion.step,
                message: "the application says that it is version \(shown), the package has "
                    + "\(ExpectedVersion(number: number)), and a bootloader takes no lower one; nothing was sent",
                remedy:
                    "build the package with \(.applicationVersion, Self.number(shown)) or higher; if the "
                    + "application's text counts otherwise, \(.risk, "lower-version") lets the bootloader decide"
            )
        case .lower, .higher, nil: return []
        }
    }

    private static func number(_ shown: String) -> String {
        ExpectedVersion.number(of: shown).map(String.init) ?? shown
    }

    /// `hw_version` is the vendor's number; those of stock bootloaders are the chip's.
    private func checkChip(_ running: ApplicationFacts) throws(UpdateFailure) {
        guard let wanted = image.hardwareVersion, Self.chips.contains(wanted) else { return }
        for text in [running.hardware, running.model] {
            guard let text, let chip = Self.chip(namedIn: text), chip != wanted else { continue }
            throw UpdateFailure(
                .hardwareMismatch, during: InstalledVersion.step,
                message:
                    "the application says that its hardware is '\(text)', and the package is for hardware "
                    + "\(wanted), which is an nRF\(wanted); nothing was sent",
                remedy:
                    "use the package for this hardware; if the application's text is wrong, \(.risk, "wrong-family") "
                    + "lets the bootloader decide")
        }
    }

    private static let chips: [UInt32] = [51, 52]

    private static func chip(namedIn text: String) -> UInt32? {
        let text = text.lowercased()
        return chips.first { text.contains("nrf\($0)") }
    }
}
