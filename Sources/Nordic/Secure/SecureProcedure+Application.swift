public import UpdateModel

/// The checks against a running application, and the update's effect on it.
extension SecureProcedure {
    /// Before its execution an init packet changes nothing. After it the old application stays only if the new image
    /// fits next to it, and no request reveals the free space (nordic-secure.md, Personalities).
    public var effectOnApplication: DeviceState.Application? {
        update.isInitInDoubt ? .unknown : update.effect
    }

    /// The device has responded, whatever the result.
    mutating func noteAnswer(to request: SecureRequest) {
        if case .execute(.command, _) = request { update.isInitInDoubt = false }
        if case .create = request { update.effect = update.effect ?? .intact }
    }

    /// The limit of stock bootloaders (nordic-secure.md, Timing).
    public var inactivityLimit: Duration? { .seconds(120) }

    /// Finds a version that the bootloader would refuse, or that is installed already, and a chip that the package is
    /// not for. System parts have nothing that an application reports.
    public func check(_ running: ApplicationFacts) throws(UpdateFailure) -> [UpdateNotice] {
        guard image.role == .application else { return [] }
        if !risks.contains(.wrongFamily) { try checkChip(running) }
        guard let number = image.firmwareVersion, let shown = running.version else { return [] }
        switch ExpectedVersion.order(of: number, to: shown) {
        case .same: return try InstalledVersion(shown).notices(allowing: risks)
        case .lower where !risks.contains(.lowerVersion):
            throw UpdateFailure(
                .versionTooLow, during: InstalledVersion.step,
                message: "the application reports version \(shown), the package has "
                    + "\(ExpectedVersion(number: number)), and bootloaders accept no lower one; nothing was sent",
                remedy:
                    "build the package with \(.applicationVersion, Self.number(shown)) or higher; if the "
                    + "application's version text means something else, \(.risk, "lower-version") lets the "
                    + "bootloader decide"
            )
        case .lower, .higher, nil: return []
        }
    }

    private static func number(_ shown: String) -> String {
        ExpectedVersion.number(of: shown).map(String.init) ?? shown
    }

    /// `hw_version` is the vendor's number; stock bootloaders have the chip's number.
    private func checkChip(_ running: ApplicationFacts) throws(UpdateFailure) {
        guard let wanted = image.hardwareVersion, Self.chips.contains(wanted) else { return }
        for text in [running.hardware, running.model] {
            guard let text, let chip = Self.chip(namedIn: text), chip != wanted else { continue }
            throw UpdateFailure(
                .hardwareMismatch, during: InstalledVersion.step,
                message:
                    "the application reports hardware '\(text)', but the package is for hardware "
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
