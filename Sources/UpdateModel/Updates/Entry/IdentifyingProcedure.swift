/// An update that runs the identity query within its own conversation: before any other request, and not on links
/// that the device opens only for the transfer.
public protocol IdentifyingProcedure: UpdateProcedure {
    /// The identity query; nil if none is needed. Set before `begin` on each link.
    var identityQuery: (any IdentityQuery)? { get set }
    /// The facts that the application first reported; nil before that.
    var identified: ApplicationFacts? { get }
}
