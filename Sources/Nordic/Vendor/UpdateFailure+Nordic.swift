import UpdateModel

extension UpdateFailure {
    /// An empty image or init packet.
    static let nothingToSend = UpdateFailure(
        FailureCode(rawValue: "package-empty"), during: "preparing", message: "there is nothing to send")
}
