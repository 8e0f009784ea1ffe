/// A stable name for a way to fail. People script against it and `explain` knows more about it.
public struct FailureCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name, in kebab case.
    public let rawValue: String
    /// The code named `rawValue`.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name.
    public var description: String { rawValue }

    /// The link was lost and did not come back.
    public static let linkLost = FailureCode(rawValue: "link-lost")
    /// The device was heard, and no link to it ever came about.
    public static let connectionNotEstablished = FailureCode(rawValue: "connection-not-established")
    /// Another copy of this program updates or reads the device.
    public static let beaconInUse = FailureCode(rawValue: "beacon-in-use")
    /// Another program of this machine has the link to the device.
    public static let beaconHeld = FailureCode(rawValue: "beacon-held")
    /// Another copy of this program was connecting all the time.
    public static let adapterBusy = FailureCode(rawValue: "adapter-busy")
    /// The adapter holds as many links as it can.
    public static let tooManyLinks = FailureCode(rawValue: "too-many-links")
    /// Another program of this machine serves attributes where we want to.
    public static let attributesTaken = FailureCode(rawValue: "attributes-taken")
    /// A request was never answered.
    public static let noAnswer = FailureCode(rawValue: "no-answer")
    /// An answer that fits no question.
    public static let unexpectedAnswer = FailureCode(rawValue: "unexpected-answer")
    /// The link broke, or refused something, at the level of attributes.
    public static let attributeRefused = FailureCode(rawValue: "attribute-refused")
    /// The device asks for an encrypted link, which did not come about.
    public static let encryptionFailed = FailureCode(rawValue: "encryption-failed")
    /// The device does not allow updates as it is set now.
    public static let updatesNotAllowed = FailureCode(rawValue: "updates-not-allowed")
    /// The device cannot be updated over the air, by what it says of itself.
    public static let noUpdatesOnHardware = FailureCode(rawValue: "no-dfu-on-this-hardware")
    /// The device runs its application, not its bootloader.
    public static let notInBootloader = FailureCode(rawValue: "not-in-bootloader")
    /// The application takes no updates of this kind.
    public static let updateServiceMissing = FailureCode(rawValue: "update-service-missing")
    /// The application refused to give way to its bootloader.
    public static let entryRefused = FailureCode(rawValue: "entry-refused")
    /// The application was told to give way to its bootloader and still runs.
    public static let bootloaderNotEntered = FailureCode(rawValue: "bootloader-not-entered")
    /// The application gave way, and no bootloader that could be the same unit's was heard.
    public static let bootloaderNotFound = FailureCode(rawValue: "bootloader-not-found")
    /// More than one device could be the unit's bootloader.
    public static let bootloaderAmbiguous = FailureCode(rawValue: "bootloader-ambiguous")
    /// A bootloader is taken for the unit's by its address, or because it is the only one that has come up.
    public static let bootloaderAssumed = FailureCode(rawValue: "bootloader-assumed")
    /// An application is taken for the unit's because it is the only one that has come up.
    public static let applicationAssumed = FailureCode(rawValue: "application-assumed")
    /// Some parts of a package are installed, and the device is where the others cannot be sent.
    public static let partsLeft = FailureCode(rawValue: "parts-left")
    /// The application says that it has this version already.
    public static let sameVersion = FailureCode(rawValue: "same-version")
    /// The device has a higher version.
    public static let versionTooLow = FailureCode(rawValue: "firmware-version-too-low")
    /// The device is of other hardware than the package.
    public static let hardwareMismatch = FailureCode(rawValue: "hardware-version-mismatch")
    /// The device went back to its application in the middle of the update.
    public static let leftBootloader = FailureCode(rawValue: "left-bootloader")
    /// The device has taken the image and is in its bootloader again.
    public static let activationFailed = FailureCode(rawValue: "activation-failed")
    /// The device has taken the image and was not seen again.
    public static let didNotReappear = FailureCode(rawValue: "did-not-reappear")
    /// A part of several is there already, or is refused as one that need not be installed.
    public static let partSkipped = FailureCode(rawValue: "part-skipped")
    /// The device stays in its bootloader because it has no application to start.
    public static let applicationMissing = FailureCode(rawValue: "application-missing")
    /// The application that came up calls itself by another version than the promised one.
    public static let versionMismatch = FailureCode(rawValue: "version-mismatch")
    /// The application's version is not the promised one, though another than before.
    public static let versionDiffers = FailureCode(rawValue: "version-differs")
    /// The application calls itself as before, in a way that cannot be held against the package's version.
    public static let versionUnchanged = FailureCode(rawValue: "version-unchanged")
    /// Not all settings of the beacon have survived the update.
    public static let settingsChanged = FailureCode(rawValue: "settings-changed")
    /// The settings of the beacon could not be read.
    public static let settingsUnread = FailureCode(rawValue: "settings-unread")
    /// Received bytes are wrong again and again.
    public static let imageCRCMismatch = FailureCode(rawValue: "image-crc-mismatch")
    /// The device never said that it took the image, and nothing that came up proves that it did.
    public static let activationUnconfirmed = FailureCode(rawValue: "activation-unconfirmed")
    /// The user ended it.
    public static let interrupted = FailureCode(rawValue: "interrupted")
    /// No device answers to the selector.
    public static let deviceNotFound = FailureCode(rawValue: "device-not-found")
    /// The adapter cannot be used.
    public static let noAdapter = FailureCode(rawValue: "no-adapter")
    /// The kernel wants a capability that we lack.
    public static let permissionMissing = FailureCode(rawValue: "permission-missing")
    /// Something that should not happen.
    public static let internalError = FailureCode(rawValue: "internal-error")
}
