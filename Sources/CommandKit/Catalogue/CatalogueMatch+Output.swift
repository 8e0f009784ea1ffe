package import Bluetooth
import Bytes
package import Firmware
import UpdateModel

extension CatalogueMatch {
    package var line: JSONLine {
        let firmware = release ?? vendorRelease
        return JSONLine("match").adding([
            "outcome": .text(outcome.word), "model": .optional(family?.name),
            "kind": .optional(family?.device.kind.rawValue), "message": .text(sentence),
            "next_step": .text(nextStep), "missing": .list(missing.map(JSONValue.text)),
            "models": .list(others.map(JSONValue.text)), "version": .optional(firmware?.version),
            "file": .optional(firmware?.packagePath), "sha256": .optional(firmware?.sha256),
            "channel": .optional(firmware?.channel.rawValue),
            "urgency": .optional(firmware?.urgency?.rawValue), "notes": .optional(firmware?.notes),
            "options": .list(options.map(JSONValue.text)),
            "against": .list(
                rejections.map { rejection in
                    .object([
                        "version": .text(rejection.firmware.version),
                        "reason": .text(rejection.reason.code.rawValue), "message": .text(rejection.words),
                    ])
                }),
        ])
    }

    /// The decision, followed by the reason against every other release.
    package func lines(_ console: Console) -> [TerminalText] {
        let colour: TerminalText.Colour = chosen == nil ? .yellow : .green
        var lines: [TerminalText] = ["\(console.paint(outcome.word, colour)): \(sentence)"]
        if let notes = release?.notes { lines.append("  \(notes)") }
        lines.append("  next: \(nextStep)")
        return lines + reasons.map { "  \($0)" }
    }

    var reasons: [String] { rejections.map { "not \($0.firmware.version): \($0.reason.code): \($0.words)" } }

    private var missing: [String] { if case .unknown(let missing) = outcome { missing } else { [] } }

    /// The known models, if the beacon is none of them.
    private var others: [String] { if case .wrongModel(let models) = outcome { models } else { [] } }

    var sentence: String {
        let name = family?.name ?? "the beacon"
        switch outcome {
        case .update(let firmware): return "\(name) gets \(firmware.version)"
        case .upToDate: return "there is nothing newer for \(name)"
        case .batteryLow(let firmware):
            return "\(name) would get \(firmware.version), but its battery is too low"
        case .unknown(let missing):
            return "no release for \(name) can be chosen without \(missing.joined(separator: ", "))"
        case .wrongModel(let models):
            let some = models.prefix(5).joined(separator: ", ")
            let rest = models.count > 5 ? " and \(models.count - 5) more" : ""
            return "the catalogue has \(some)\(rest), but the beacon is another model"
        case .notListed: return "no family of the catalogue matches this beacon"
        case .noFirmware: return "none of the releases fits this \(name)"
        case .vendorOnly:
            let version = vendorRelease.map { " to \($0.version)" } ?? ""
            return "only its vendor can update \(name)\(version)"
        case .bootloader: return "its bootloader is running and does not report the previous application"
        case .ambiguous(let names): return "the beacon may be \(names.joined(separator: " or "))"
        }
    }

    var nextStep: String {
        switch outcome {
        case .update(let firmware):
            guard let path = firmware.packagePath else {
                return "get the package of \(firmware.version), and flash it"
            }
            guard firmware.canBeSent else { return "install \(path) with the vendor's application" }
            let words = ["beacon-dfu", "flash", path] + options + ["--device", "SELECTOR"]
            return words.map(ShellWord.quoted).joined(separator: " ")
        case .upToDate: return "no action is needed"
        case .batteryLow: return "charge or replace the battery first"
        case .unknown(let missing):
            let source = missing.contains("version") ? family?.versionSource?.words : nil
            return source ?? "read it with `beacon-dfu info --device ADDRESS`, or give it"
        case .wrongModel: return "add the model to the catalogue, if there is firmware for it"
        case .notListed: return "add its family to the catalogue: docs/catalogue.md"
        case .noFirmware: return "see the reasons, and add the missing release"
        case .vendorOnly(let way): return way
        case .bootloader:
            return "flash the package for this unit; its label or your records show which one it is"
        case .ambiguous:
            return "make the families' 'recognised_by' differ, or give more properties of the beacon"
        }
    }

    /// The settings of the family as options of `flash`.
    private var options: [String] { chosen == nil ? [] : family?.flashArguments ?? [] }

    /// The failure for the beacon at `address` when no release is chosen.
    package func failure(for address: DeviceAddress) -> CommandFailure {
        var failure = CommandFailure(
            outcome.code ?? .system.internalError, during: "choosing the release",
            message: "\(address): \(sentence)",
            nextStep: nextStep(for: address), exit: outcome == .upToDate ? .nothingToDo : .failed)
        failure.remarks = reasons
        return failure
    }

    private func nextStep(for address: DeviceAddress) -> String {
        switch outcome {
        case .bootloader:
            "switch it off and on: if its application comes back, the catalogue can choose. Otherwise find out from its "
                + "label or your records which package belongs to the unit: `beacon-dfu flash FILE --device \(address)`"
        case .unknown:
            "read the beacon with `beacon-dfu info --device \(address)`, and use the values in the catalogue; or flash the "
                + "package by its name"
        case .batteryLow: "give it a fresh battery, then run the same command again"
        default: nextStep
        }
    }
}

extension VersionSource {
    /// How to read the installed version.
    fileprivate var words: String {
        switch self {
        case .advertising: "listen longer: `beacon-dfu scan --for 30` shows the version once it is advertised"
        case .firmwareRevision: "`beacon-dfu info --device ADDRESS` reads it: the firmware revision"
        case .softwareRevision: "`beacon-dfu info --device ADDRESS` reads it: the software revision"
        case .session:
            "`beacon-dfu info --device ADDRESS` reads it in a session, with the password in --secrets if the beacon has one"
        }
    }
}

extension CatalogueFamily {
    /// Errors for makers and kinds under `recognised_by` that this program does not know.
    package var unknownWords: [CatalogueFinding] {
        let words = [
            ("maker", criteria.maker, Maker.allCases.map(\.rawValue)),
            ("kind", criteria.family, Family.allCases.map(\.rawValue)),
        ]
        return words.compactMap { what, given, known in
            guard let given, !known.contains(given) else { return nil }
            return CatalogueFinding(
                .catalogue.wordUnknown, at: place, Self.unknown(what, given, among: known))
        }
    }

    /// An error if no beacon of the family reports its version in the way that `version_from` names.
    ///
    /// A family that is recognised by neither maker nor kind may include any beacon.
    package var unreadVersion: [CatalogueFinding] {
        let families = Family.allCases.filter { family in
            (criteria.maker ?? family.maker?.rawValue) == family.maker?.rawValue
                && (criteria.family ?? family.rawValue) == family.rawValue
        }
        let (shows, words): ((Family) -> Bool, String)
        switch versionSource {
        case .session:
            (shows, words) = ({ $0.hasSession(forUpdatesOf: device.kind) }, "reports it in a session")
        case .advertising: (shows, words) = (\.advertisesVersion, "advertises it")
        case .firmwareRevision, .softwareRevision, nil: return []
        }
        guard !families.isEmpty, !families.contains(where: shows) else { return [] }
        return [
            CatalogueFinding(
                .catalogue.catalogueVersionUnread, at: place,
                "'version_from: \(versionSource?.rawValue ?? "")': no beacon that can be a \(name) \(words)")
        ]
    }

    package static func unknown(_ what: String, _ given: String, among known: [String]) -> String {
        let list = "; there is \(known.joined(separator: ", "))"
        return "there is no \(what) '\(given)'" + Spelling.hint(for: given, in: known, otherwise: list)
    }
}

extension Family {
    /// Whether beacons of this family with updates of `kind` report their version in a supported session.
    fileprivate func hasSession(forUpdatesOf kind: FirmwareKind) -> Bool {
        // A vendor without families updates any maker's beacons.
        let vendor = KnownVendors.withSessions.first {
            $0.families.contains(rawValue) || $0.families.isEmpty && $0.kinds.contains(kind)
        }
        guard vendor?.reportedFacts(hasSecret: true).contains("version") ?? false else { return false }
        return maker.flatMap { KnownVendors.kinds(ofMaker: $0.rawValue) }?.contains(kind) ?? true
    }
}
