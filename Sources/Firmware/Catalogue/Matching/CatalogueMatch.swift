package import UpdateModel

package struct CatalogueMatch: Sendable {
    /// The outcome, with its name in JSON output.
    package enum Outcome: Hashable, Sendable {
        case update(CatalogueFirmware)
        /// The installed version is the newest that it could take, or later.
        case upToDate
        /// This release fits, but the battery is too low for it.
        case batteryLow(CatalogueFirmware)
        /// These facts are needed first.
        case unknown(missing: [String])
        /// The catalogue has these models of its maker or family, but not this one.
        case wrongModel([String])
        /// The catalogue has no model of its maker or family.
        case notListed
        /// Its family has no release that it could take.
        case noFirmware
        /// Only the vendor can update it, in this way.
        case vendorOnly(String)
        /// Its bootloader runs: its application is unknown.
        case bootloader
        case ambiguous([String])
    }

    package enum Reason: CaseIterable, Sendable {
        case withdrawn, channel, model, hardware, device, sameVersion, downgrade, minimumInstalled, through
        case undecided, newerFits, notNamed

        package var code: FailureCode {
            switch self {
            case .withdrawn: .catalogue.firmwareWithdrawn
            case .channel: .catalogue.channelNotChosen
            case .model: .catalogue.modelExcluded
            case .hardware: .catalogue.hardwareExcluded
            case .device: .catalogue.deviceExcluded
            case .sameVersion: .device.sameVersion
            case .downgrade: .finding.downgrade
            case .minimumInstalled: .finding.installedVersionTooLow
            case .through: .catalogue.versionBetweenNeeded
            case .undecided: .catalogue.deviceUnknown
            case .newerFits: .catalogue.newerFits
            case .notNamed: .catalogue.releaseNotNamed
            }
        }
    }

    package struct Rejection: Hashable, Sendable {
        package let firmware: CatalogueFirmware
        package let reason: Reason
        package let words: String
    }

    /// Its family; nil if none matched.
    package let family: CatalogueFamily?
    package let outcome: Outcome
    /// Every release of its family that is not the chosen one, in the file's order.
    package let rejections: [Rejection]
    /// The release that its vendor would install, for vendor-only families.
    package internal(set) var vendorRelease: CatalogueFirmware?
    package var warnings: [Warning] = []

    /// A note that does not change the decision.
    package struct Warning: Hashable, Sendable {
        package let code: FailureCode
        package let words: String

        package init(code: FailureCode, words: String) { (self.code, self.words) = (code, words) }
    }

    init(_ outcome: Outcome, _ family: CatalogueFamily? = nil, _ rejections: [Rejection] = []) {
        (self.outcome, self.family, self.rejections) = (outcome, family, rejections)
    }

    /// The release that fits, whether it can be installed now or not.
    package var release: CatalogueFirmware? {
        switch outcome {
        case .update(let firmware), .batteryLow(let firmware): firmware
        default: nil
        }
    }

    /// Why the release that the user has named is refused; nil if it is not refused, or not in the catalogue.
    package var rejectionOfNamed: Rejection? {
        rejections.first { $0.reason != .notNamed && $0.reason != .undecided }
    }

    package var chosen: CatalogueFirmware? {
        if case .update(let firmware) = outcome { firmware } else { nil }
    }
}

extension CatalogueMatch.Outcome {
    /// Why nothing is installed; nil if there is an update.
    package var code: FailureCode? {
        switch self {
        case .update: nil
        case .upToDate: .catalogue.upToDate
        case .batteryLow: .device.batteryLow
        case .unknown: .catalogue.deviceUnknown
        case .wrongModel: .catalogue.wrongModel
        case .notListed: .catalogue.notListed
        case .noFirmware: .catalogue.noFirmware
        case .vendorOnly: .catalogue.vendorOnly
        case .bootloader: .catalogue.releaseUnknown
        case .ambiguous: .catalogue.familyAmbiguous
        }
    }

    /// The word in JSON output: the code's name, except for these.
    package var word: String {
        switch self {
        case .unknown: "unknown"
        case .bootloader: "bootloader"
        case .ambiguous: "ambiguous"
        default: code?.rawValue ?? "update-available"
        }
    }
}

extension CatalogueMatch.Outcome: CustomStringConvertible {
    package var description: String {
        switch self {
        case .update(let firmware): firmware.version
        case .upToDate: "up to date"
        case .batteryLow(let firmware): "\(firmware.version), battery too low"
        case .unknown(let missing): "unknown: needs \(missing.joined(separator: ", "))"
        case .wrongModel(let models): "wrong model: the catalogue has \(models.joined(separator: ", "))"
        case .notListed: "not in the catalogue"
        case .noFirmware: "no matching release"
        case .vendorOnly(let way): "vendor only: \(way)"
        case .bootloader: "in its bootloader"
        case .ambiguous(let names): "\(names.joined(separator: " or "))?"
        }
    }
}

/// What is known of a beacon that needs firmware; nil for what was not heard.
package struct CatalogueDevice: Hashable, Sendable {
    package var maker: String?
    package var family: String?
    /// Whether it may turn out to belong to another family: identifying frames may not have been heard yet.
    package var familyMayChange = false
    package var model: String?
    /// Whether it reports its model in its vendor's session: until then, a family that is recognised by the
    /// model may match.
    package var reportsModelInSession = false
    /// The number of its model, as in its frames.
    package var number: Int?
    /// The maker's id, which is unique among units of its model.
    package var id: String?
    package var name: String?
    package var hardware: String?
    package var version: String?
    /// Where it reports the version; nil if the user gave it, or it was read where the family reports it.
    package var versionSource: VersionSource?
    /// Its charge in percent.
    package var battery: Int?
    package var millivolts: Int?
    /// The kind of firmware that it accepts, according to its own report.
    package var kind: FirmwareKind?
    /// Whether its bootloader runs, which reports nothing about the application.
    package var isBootloader = false

    package init() {}
}
