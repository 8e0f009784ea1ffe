import UpdateModel

/// Chooses a release of a device's family for the device.
struct ReleaseChoice {
    private enum Answer {
        case fits
        case refused(CatalogueMatch.Reason, String)
        case undecided([String])

        /// Why the release is not for the device; nil if it may be.
        var reason: CatalogueMatch.Reason? { if case .refused(let reason, _) = self { reason } else { nil } }
        var missing: [String] { if case .undecided(let keys) = self { keys } else { [] } }
    }

    private let family: CatalogueFamily
    private let device: CatalogueDevice
    private let channels: Set<CatalogueChannel>
    private let minimumBattery: Int
    /// The version of the release that the user has named; nil to choose the latest.
    private let named: String?
    /// The installed version, as a device of the family reports it.
    private let installedText: String?
    private let installed: OrderedVersion?

    init(
        _ family: CatalogueFamily, for device: CatalogueDevice, channels: Set<CatalogueChannel>,
        naming named: String? = nil
    ) {
        (self.family, self.device, self.channels, self.named) = (family, device, channels, named)
        self.minimumBattery = family.minimumBattery ?? MinimumCharge().percent
        let isElsewhere = device.versionSource.map { $0 != family.versionSource ?? $0 } ?? false
        installedText = isElsewhere ? nil : device.version
        installed = installedText.flatMap(family.scheme.version)
    }

    var match: CatalogueMatch {
        let answers = family.firmware.map { (firmware: $0, answer: answer(for: $0)) }
        let open = answers.filter { if case .undecided = $0.answer { true } else { false } }
        let fitting = answers.filter { if case .fits = $0.answer { true } else { false } }.map(\.firmware)
        let chosen = fitting.max(by: family.isLower)
        let outcome: CatalogueMatch.Outcome
        // A later release that may fit too makes the choice depend on more facts.
        let better = open.filter { candidate in chosen.map { family.isLower($0, candidate.firmware) } ?? true
        }
        if !better.isEmpty {
            outcome = .unknown(missing: better.flatMap(\.answer.missing).unique)
        } else if let chosen {
            outcome = isLow ? .batteryLow(chosen) : .update(chosen)
        } else {
            outcome = withoutRelease(answers.compactMap(\.answer.reason))
        }
        let isDecided = better.isEmpty
        let rejections = answers.compactMap {
            rejection(of: $0.firmware, $0.answer, chosen: isDecided ? chosen : nil)
        }
        var match = CatalogueMatch(outcome, family, rejections)
        match.warnings = warnings + [match.release.flatMap(downgrade)].compactMap(\.self)
        return match
    }

    /// The warning that `release`, which the user has named, is lower than the installed version; nil if it is not.
    private func downgrade(to release: CatalogueFirmware) -> CatalogueMatch.Warning? {
        guard let installedText, let installed, let new = family.scheme.version(release.version),
            new < installed
        else { return nil }
        return CatalogueMatch.Warning(
            code: .finding.downgrade,
            words:
                "\(release.version) is below \(installedText), which is installed, and was asked for by name")
    }

    /// The voltage in mV below which no update is started: that of a nearly empty coin cell.
    private static let minimumVoltage = 2400

    private var isLow: Bool {
        if let battery = device.battery, battery < minimumBattery { return true }
        return device.millivolts.map { $0 < Self.minimumVoltage } ?? false
    }

    /// The outcome for a device that gets none of the releases, each refused for one of the `reasons`.
    private func withoutRelease(_ reasons: [CatalogueMatch.Reason]) -> CatalogueMatch.Outcome {
        let open = reasons.filter { ![.withdrawn, .channel, .notNamed].contains($0) }
        if !open.isEmpty, open.allSatisfy({ $0 == .model }) {
            return .wrongModel(family.firmware.flatMap(\.models).unique)
        }
        let isCurrent = open.contains { $0 == .sameVersion || $0 == .downgrade }
        let isOnTheWay = open.contains { $0 == .minimumInstalled || $0 == .through }
        return isCurrent && !isOnTheWay ? .upToDate : .noFirmware
    }

    private func answer(for firmware: CatalogueFirmware) -> Answer {
        if let named, !family.isRelease(firmware, named: named) {
            return .refused(.notNamed, "is not \(named)")
        }
        if let why = firmware.withdrawn { return .refused(.withdrawn, "withdrawn: \(why)") }
        guard channels.contains(firmware.channel) else {
            return .refused(.channel, "is in the channel \(firmware.channel.rawValue)")
        }
        var missing: [String] = []
        /// The device's `fact` if the release is only for devices with others; an unknown fact is added to `missing`.
        func excluded(
            _ fact: String?, _ name: String, from wanted: [String], fits: (String, String) -> Bool
        ) -> String? {
            guard !wanted.isEmpty else { return nil }
            guard let fact else {
                missing.append(name)
                return nil
            }
            return wanted.contains { fits(fact, $0) } ? nil : fact
        }
        if let model = excluded(device.model, "model", from: firmware.models, fits: FamilyCriteria.fits) {
            return .refused(.model, "is for \(list(firmware.models)), not for \(model)")
        }
        if let hardware = excluded(
            device.hardware, "hardware", from: firmware.hardware, fits: Self.isSameHardware)
        {
            return .refused(.hardware, "is for hardware \(list(firmware.hardware)), not for \(hardware)")
        }
        if let id = excluded(
            device.id, "id", from: firmware.devices, fits: { $0.lowercased() == $1.lowercased() })
        {
            return .refused(.device, "is for other units than \(id)")
        }
        switch versionAnswer(for: firmware) {
        case .undecided(let keys): missing += keys
        case .refused(let reason, let words): return .refused(reason, words)
        case .fits: break
        }
        return missing.isEmpty ? .fits : .undecided(missing)
    }

    private func versionAnswer(for firmware: CatalogueFirmware) -> Answer {
        guard let installedText else { return .undecided(["version"]) }
        if let other = family.release(byPackage: installedText) {
            return .undecided([
                "a version in the form of its releases (\(installedText) is the package_version of \(other.version): see 'version_from' and 'versions')"
            ])
        }
        guard let installed, let own = family.scheme.version(firmware.version) else {
            return .undecided(["a version of the scheme \(family.scheme.rawValue)"])
        }
        if own == installed { return .refused(.sameVersion, "is installed") }
        if own < installed, named == nil {
            return .refused(.downgrade, "is below \(installedText), which is installed")
        }
        // This is checked before the minimum version: the update path is more useful to know than the limit.
        if let through = firmware.through, let needed = family.scheme.version(through), installed < needed {
            return .refused(.through, "needs \(through) to be installed first")
        }
        if let lowest = firmware.minimumInstalled, let needed = family.scheme.version(lowest),
            installed < needed
        {
            return .refused(
                .minimumInstalled, "updates \(lowest) and later, but \(installedText) is installed")
        }
        return .fits
    }

    private func rejection(
        of firmware: CatalogueFirmware, _ answer: Answer, chosen: CatalogueFirmware?
    ) -> CatalogueMatch.Rejection? {
        switch answer {
        case .refused(let reason, let words):
            return CatalogueMatch.Rejection(firmware: firmware, reason: reason, words: words)
        case .undecided(let keys):
            return CatalogueMatch.Rejection(
                firmware: firmware, reason: .undecided, words: "cannot be decided without \(list(keys))")
        case .fits:
            guard firmware != chosen else { return nil }
            let words =
                chosen.map { "fits, and \($0.version) is later" } ?? "fits, and a later one may fit too"
            return CatalogueMatch.Rejection(firmware: firmware, reason: .newerFits, words: words)
        }
    }

    private var warnings: [CatalogueMatch.Warning] {
        let current = family.firmware.first {
            installed != nil && family.scheme.version($0.version) == installed && $0.withdrawn != nil
        }
        let withdrawn = current?.withdrawn.map {
            CatalogueMatch.Warning(
                code: .catalogue.installedWithdrawn, words: "the installed version was withdrawn: \($0)")
        }
        let candidates = family.firmware.filter {
            guard let reason = answer(for: $0).reason else { return true }
            return ![.withdrawn, .channel, .model, .hardware, .device, .notNamed].contains(reason)
        }
        return [withdrawn, candidates.lazy.compactMap(orderDispute).first].compactMap(\.self)
    }

    /// The warning if two versions have different orders as decimal numbers and part by part, so that a choice by
    /// either order may be wrong: KKM's applications compare decimal numbers, but its version numbers have parts.
    /// Only KKM writes a letter before its versions.
    private func orderDispute(over release: CatalogueFirmware) -> CatalogueMatch.Warning? {
        let isLettered = release.version.first?.isLetter ?? false
        guard family.scheme == .decimal || family.scheme == .dotted && isLettered, let installedText,
            let parts = isAbove(release, installedText, by: .dotted),
            let decimal = isAbove(release, installedText, by: .decimal), parts != decimal
        else { return nil }
        let (one, other) = ("as a decimal number", "by its parts")
        return .init(
            code: .catalogue.versionOrderDisputed,
            words:
                "\(release.version) is above \(installedText) \(decimal ? one : other), but not \(decimal ? other : one)"
        )
    }

    private func isAbove(_ release: CatalogueFirmware, _ installedText: String, by scheme: VersionScheme)
        -> Bool?
    {
        guard let old = scheme.version(installedText), let new = scheme.version(release.version) else {
            return nil
        }
        return new > old
    }

    /// Whether two hardware versions are the same text, ignoring case and a leading `V`.
    static func isSameHardware(_ one: String, _ other: String) -> Bool {
        func plain(_ text: String) -> String {
            let text = text.lowercased()
            return text.first == "v" ? String(text.dropFirst()) : text
        }
        return plain(one) == plain(other)
    }

    private func list(_ words: [String]) -> String { words.joined(separator: ", ") }
}
