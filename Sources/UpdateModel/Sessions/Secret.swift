/// A password or PIN, which is printed as dots.
public struct Secret: Hashable, Sendable {
    public let bytes: [UInt8]

    public init(_ bytes: [UInt8]) { self.bytes = bytes }
    public init(_ text: String) { bytes = Array(text.utf8) }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "•••" }
    public var debugDescription: String { description }
    /// Empty, so that `dump` and test messages show nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The passwords or PINs of a vendor's beacons.
public struct SecretRules: Sendable {
    /// The form of a valid one, in a sentence.
    public let form: String
    /// What a recording of a session reveals of the secret.
    public let captured: CapturedSecret
    /// The secret that a new beacon has; nil if there is none to try.
    public let factory: Secret?
    public let allows: @Sendable (Secret) -> Bool

    public init(
        form: String, captured: CapturedSecret, factory: Secret? = nil,
        allows: @escaping @Sendable (Secret) -> Bool
    ) {
        (self.form, self.captured, self.factory, self.allows) = (form, captured, factory, allows)
    }
}

/// What a recording of a session reveals of a secret.
public enum CapturedSecret: Hashable, Sendable {
    /// A cryptographic proof, against which guessed passwords can be checked.
    case proof
    /// A PIN in plain text.
    case pin
}
