import UpdateModel

/// The version that the running application reports, if it is the package's version already.
struct InstalledVersion: Sendable {
    static let step = "asking the application"

    private let text: String

    init(_ text: String) { self.text = text }

    /// There is nothing to do, unless the same version is installed again on request.
    func notices(allowing risks: Set<Risk>) throws(UpdateFailure) -> [UpdateNotice] {
        guard risks.contains(.sameVersion) else {
            throw UpdateFailure(
                .sameVersion, during: Self.step,
                message: "the application already reports version \(text); nothing was sent",
                remedy: "nothing to do; \(.risk, "same-version") installs it again")
        }
        return [
            .warning(
                .sameVersion,
                "the application already reports version \(text), so the version it reports after the update "
                    + "does not confirm the new image")
        ]
    }
}
