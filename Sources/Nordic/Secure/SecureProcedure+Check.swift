package import UpdateModel

/// Checks before anything is sent.
extension SecureProcedure {
    /// Refuses a version that is installed already or that the bootloader would refuse, and a package for another chip.
    /// System parts are not checked, because an application does not report them.
    package func check(_ running: ApplicationFacts) throws(UpdateFailure) -> [UpdateNotice] {
        guard image.role == .application else { return [] }
        if !risks.contains(.wrongFamily) { try checkChip(running) }
        guard let number = image.firmwareVersion, let shown = running.version else { return [] }
        switch ExpectedVersion.order(of: number, to: shown) {
        case .same: return try InstalledVersion.notices(of: shown, allowing: risks)
        case .lower where !risks.contains(.lowerVersion):
            throw UpdateFailure(
                .device.firmwareVersionTooLow, during: InstalledVersion.step,
                message: "the application reports version \(shown), the package has "
                    + "\(ExpectedVersion(number: number)), and bootloaders accept no lower one; nothing was sent",
                remedy: "build the package with \(.applicationVersion, Self.number(shown)) or higher; if the "
                    + "application's version text means something else, \(.risk, "lower-version") lets the "
                    + "bootloader decide"
            )
        case .lower, .higher, nil: return []
        }
    }

    private static func number(_ shown: String) -> String {
        ExpectedVersion.number(of: shown).map(String.init) ?? shown
    }

    /// Compares the chip if `hw_version` is 51 or 52, as in stock bootloaders; other numbers are a maker's own.
    private func checkChip(_ running: ApplicationFacts) throws(UpdateFailure) {
        guard let wanted = image.hardwareVersion, Self.chips.contains(wanted) else { return }
        for text in [running.hardware, running.model] {
            guard let text, let chip = Self.chip(namedIn: text), chip != wanted else { continue }
            throw UpdateFailure(
                .device.hardwareVersionMismatch, during: InstalledVersion.step,
                message: "the application reports hardware '\(text)', but the package is for hardware "
                    + "\(wanted), which is an nRF\(wanted); nothing was sent",
                remedy: "use the package for this hardware; if the application's text is wrong, "
                    + "\(.risk, "wrong-family") lets the bootloader decide")
        }
    }

    private static let chips: [UInt32] = [51, 52]

    private static func chip(namedIn text: String) -> UInt32? {
        let text = text.lowercased()
        return chips.first { text.contains("nrf\($0)") }
    }
}
