/// A user's choices for an update.
public struct UpdateOptions: Sendable {
    /// The version text that the new application has to report; nil to use the file's version.
    public var versionText: String?
    public var risks: Set<Risk>
    private var own: [ObjectIdentifier: any VendorOptions] = [:]

    public init(versionText: String? = nil, risks: Set<Risk> = []) {
        (self.versionText, self.risks) = (versionText, risks)
    }

    public subscript<Options: VendorOptions>(type: Options.Type) -> Options {
        get { own[ObjectIdentifier(type)] as? Options ?? Options() }
        set { own[ObjectIdentifier(type)] = newValue }
    }
}

/// A check that the user may override, by its name in `--force`.
public enum Risk: String, CaseIterable, Sendable {
    /// The requested bank may be that of the running image.
    case runningBank = "running-bank"
    /// The device already reports this version.
    case sameVersion = "same-version"
    /// The application reports a higher version.
    case lowerVersion = "lower-version"
    /// The device names a chip of another family; that text may be wrong.
    case wrongFamily = "wrong-family"
    /// The application's version is unchanged, and the start of the new image was not acknowledged: nothing shows
    /// which one runs.
    case unchangedVersion = "unchanged-version"
    /// The catalogue is older than another one seen: it may contain releases withdrawn since.
    case olderCatalogue = "older-catalogue"
}
