/// What a catalogue has for a beacon.
public struct CatalogueMatch: Sendable {
    /// What comes of it, by its word in JSON output.
    public enum Outcome: Hashable, Sendable {
        /// This release is to be installed.
        case update(CatalogueFirmware)
        /// The newest release that it could take is installed, or a later one.
        case upToDate
        /// This release fits, and the battery is too low for it.
        case batteryLow(CatalogueFirmware)
        /// What has to be known first.
        case unknown(missing: [String])
        /// The catalogue has these models of its maker or kind, and not this one.
        case wrongModel([String])
        /// The catalogue has nothing of its maker or kind.
        case notListed
        /// Its family has no release that it could take.
        case noFirmware
        /// Only the vendor can update it; how.
        case vendorOnly(String)
        /// Its bootloader runs: which application it had cannot be seen.
        case bootloader
        /// These families may be its own.
        case ambiguous([String])
    }

    /// Why a release is not the one to install, by its name in JSON output.
    public enum Reason: String, CaseIterable, Sendable {
        case withdrawn = "firmware-withdrawn"
        case channel = "channel-not-chosen"
        case model = "model-excluded"
        case hardware = "hardware-excluded"
        case device = "device-excluded"
        case sameVersion = "same-version"
        case downgrade
        case minimumInstalled = "installed-version-too-low"
        case through = "version-between-needed"
        case undecided = "device-unknown"
        case newerFits = "newer-fits"
    }

    /// A release that is not to be installed, and why.
    public struct Rejection: Hashable, Sendable {
        /// The release.
        public let firmware: CatalogueFirmware
        /// Why, for scripts.
        public let reason: Reason
        /// Why, for people.
        public let words: String
    }

    /// Its family; nil where none was recognised.
    public let model: CatalogueModel?
    /// What comes of it.
    public let outcome: Outcome
    /// Every release of its family that is not the chosen one, in the file's order.
    public let rejections: [Rejection]
    /// The release that its vendor would install, where nobody else can.
    public internal(set) var fromVendor: CatalogueFirmware?
    /// What is to be known of the decision.
    public var warnings: [Warning] = []

    /// Something that does not change the decision.
    public struct Warning: Hashable, Sendable {
        /// For scripts.
        public let code: String
        /// For people.
        public let words: String
    }

    init(_ outcome: Outcome, _ model: CatalogueModel? = nil, _ rejections: [Rejection] = []) {
        (self.outcome, self.model, self.rejections) = (outcome, model, rejections)
    }

    /// The release that fits, whether it can be installed now or not.
    public var release: CatalogueFirmware? {
        switch outcome {
        case .update(let firmware), .batteryLow(let firmware): firmware
        default: nil
        }
    }

    /// The release to install; nil where there is none.
    public var chosen: CatalogueFirmware? {
        if case .update(let firmware) = outcome { firmware } else { nil }
    }
}

extension CatalogueMatch.Outcome {
    /// The word in JSON output.
    public var word: String {
        switch self {
        case .update: "update-available"
        case .upToDate: "up-to-date"
        case .batteryLow: "battery-low"
        case .unknown: "unknown"
        case .wrongModel: "wrong-model"
        case .notListed: "not-listed"
        case .noFirmware: "no-firmware"
        case .vendorOnly: "vendor-only"
        case .bootloader: "bootloader"
        case .ambiguous: "ambiguous"
        }
    }
}

extension CatalogueMatch.Outcome: CustomStringConvertible {
    /// A few words for people, for a cell of a table.
    public var description: String {
        switch self {
        case .update(let firmware): firmware.version
        case .upToDate: "up to date"
        case .batteryLow(let firmware): "\(firmware.version), battery too low"
        case .unknown(let missing): "needs \(missing.joined(separator: ", "))"
        case .wrongModel(let models): "wrong model: there is \(models.joined(separator: ", "))"
        case .notListed: "not in the catalogue"
        case .noFirmware: "none fits"
        case .vendorOnly(let way): "vendor only: \(way)"
        case .bootloader: "in its bootloader"
        case .ambiguous(let names): "\(names.joined(separator: " or "))?"
        }
    }
}
