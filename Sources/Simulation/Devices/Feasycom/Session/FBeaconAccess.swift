/// The access control of a Feasycom beacon (fbeacon.md, PIN).
public struct FBeaconAccess: Hashable, Sendable {
    /// The PIN that must be sent before anything else: four zeros on older units, six digits on newer ones; nil if none
    /// is needed.
    public var pin: String?
    /// Whether a wrong PIN ends the link.
    public var endsLinkAfterWrongPIN = false
    /// Whether the session always belongs to another central.
    public var isBusy = false

    /// No PIN.
    public init() {}
}
