/// Who may give commands to a Feasycom beacon (fbeacon.md, PIN).
public struct FBeaconAccess: Hashable, Sendable {
    /// The PIN that has to come before anything else: four zeros on older units, six digits on newer ones; nil where
    /// none is needed.
    public var pin: String?
    /// Whether a wrong one ends the link.
    public var endsLinkAfterWrongPIN = false
    /// Whether another central has its session all the time.
    public var isBusy = false

    /// Anybody.
    public init() {}
}
