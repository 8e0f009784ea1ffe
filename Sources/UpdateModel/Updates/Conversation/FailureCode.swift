/// A stable name of a failure, for scripts and for `explain`.
public struct FailureCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name, in kebab case.
    public let rawValue: String
    /// The code named `rawValue`.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name.
    public var description: String { rawValue }

    /// The link was lost and did not come back.
    public static let linkLost = FailureCode(rawValue: "link-lost")
    /// The device was heard, but no link to it could be established.
    public static let connectionNotEstablished = FailureCode(rawValue: "connection-not-established")
    /// Another copy of this program updates or reads the device.
    public static let beaconInUse = FailureCode(rawValue: "beacon-in-use")
    /// Another program of this machine has the link to the device.
    public static let beaconHeld = FailureCode(rawValue: "beacon-held")
    /// Another copy of this program was connecting all the time.
    public static let adapterBusy = FailureCode(rawValue: "adapter-busy")
    /// The adapter has no free links.
    public static let tooManyLinks = FailureCode(rawValue: "too-many-links")
    /// Another program of this machine already serves attributes.
    public static let attributesTaken = FailureCode(rawValue: "attributes-taken")
    /// There was no response to a request.
    public static let noAnswer = FailureCode(rawValue: "no-answer")
    /// A response does not match any request.
    public static let unexpectedAnswer = FailureCode(rawValue: "unexpected-answer")
    /// The link broke, or the device refused something, at the attribute level.
    public static let attributeRefused = FailureCode(rawValue: "attribute-refused")
    /// The device requires an encrypted link, but encryption failed.
    public static let encryptionFailed = FailureCode(rawValue: "encryption-failed")
    /// The device's current settings do not allow updates.
    public static let updatesNotAllowed = FailureCode(rawValue: "updates-not-allowed")
    /// The device reports that it cannot be updated over the air.
    public static let noUpdatesOnHardware = FailureCode(rawValue: "no-dfu-on-this-hardware")
    /// The device runs its application, not its bootloader.
    public static let notInBootloader = FailureCode(rawValue: "not-in-bootloader")
    /// The application does not support updates of this kind.
    public static let updateServiceMissing = FailureCode(rawValue: "update-service-missing")
    /// The application refused to start its bootloader.
    public static let entryRefused = FailureCode(rawValue: "entry-refused")
    /// The application was told to start its bootloader, but still runs.
    public static let bootloaderNotEntered = FailureCode(rawValue: "bootloader-not-entered")
    /// The application left, but no bootloader that could be the unit's was heard.
    public static let bootloaderNotFound = FailureCode(rawValue: "bootloader-not-found")
    /// More than one device could be the unit's bootloader.
    public static let bootloaderAmbiguous = FailureCode(rawValue: "bootloader-ambiguous")
    /// A bootloader is assumed to be the unit's by its address, or because it is the only new one.
    public static let bootloaderAssumed = FailureCode(rawValue: "bootloader-assumed")
    /// An application is assumed to be the unit's because it is the only new one.
    public static let applicationAssumed = FailureCode(rawValue: "application-assumed")
    /// Some parts of a package are installed, but the others cannot be sent in the device's present state.
    public static let partsLeft = FailureCode(rawValue: "parts-left")
    /// The application already reports this version.
    public static let sameVersion = FailureCode(rawValue: "same-version")
    /// The device has a higher version.
    public static let versionTooLow = FailureCode(rawValue: "firmware-version-too-low")
    /// The device has other hardware than the package is for.
    public static let hardwareMismatch = FailureCode(rawValue: "hardware-version-mismatch")
    /// The device returned to its application in the middle of the update.
    public static let leftBootloader = FailureCode(rawValue: "left-bootloader")
    /// The device has accepted the image, but is in its bootloader again.
    public static let activationFailed = FailureCode(rawValue: "activation-failed")
    /// The device has accepted the image, but was not heard again.
    public static let didNotReappear = FailureCode(rawValue: "did-not-reappear")
    /// A part of several is installed already, or is refused because it need not be installed.
    public static let partSkipped = FailureCode(rawValue: "part-skipped")
    /// The device stays in its bootloader because there is no application to start.
    public static let applicationMissing = FailureCode(rawValue: "application-missing")
    /// The new application reports a version other than the expected one.
    public static let versionMismatch = FailureCode(rawValue: "version-mismatch")
    /// The application's version is not the expected one, but has changed.
    public static let versionDiffers = FailureCode(rawValue: "version-differs")
    /// The application's version text is unchanged, and cannot be compared with the package's version.
    public static let versionUnchanged = FailureCode(rawValue: "version-unchanged")
    /// Some settings of the beacon have changed with the update.
    public static let settingsChanged = FailureCode(rawValue: "settings-changed")
    /// The settings of the beacon could not be read.
    public static let settingsUnread = FailureCode(rawValue: "settings-unread")
    /// Received bytes are repeatedly wrong.
    public static let imageCRCMismatch = FailureCode(rawValue: "image-crc-mismatch")
    /// The device never confirmed the image, and nothing proves that it runs.
    public static let activationUnconfirmed = FailureCode(rawValue: "activation-unconfirmed")
    /// The user stopped the run.
    public static let interrupted = FailureCode(rawValue: "interrupted")
    /// No device matches the selector.
    public static let deviceNotFound = FailureCode(rawValue: "device-not-found")
    /// The adapter cannot be used.
    public static let noAdapter = FailureCode(rawValue: "no-adapter")
    /// A kernel capability is missing.
    public static let permissionMissing = FailureCode(rawValue: "permission-missing")
    /// An error that should not occur.
    public static let internalError = FailureCode(rawValue: "internal-error")
}
