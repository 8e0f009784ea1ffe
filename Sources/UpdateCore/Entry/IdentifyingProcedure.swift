/// An update whose conversation has a moment of its own for the introduction to the application: before it is asked for
/// anything, and not on links that the device makes for the transfer alone.
public protocol IdentifyingProcedure: UpdateProcedure {
    /// What introduces us; nil where nobody has to. Told before each link's `begin`.
    var identityQuery: (any IdentityQuery)? { get set }
    /// What the application has said of itself when that was told first; nil before that.
    var identified: ApplicationFacts? { get }
}
