import UpdateCore

extension UpdateFailure {
    /// An image, or an init packet, of no bytes.
    static let nothingToSend = UpdateFailure(
        FailureCode(rawValue: "package-empty"), during: "preparing", message: "there is nothing to send")
}
