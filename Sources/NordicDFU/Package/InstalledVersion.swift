import FirmwareModel
import UpdateCore

/// The version of a package that the running application says it has already.
struct InstalledVersion: Sendable {
    static let step = "asking the application"

    private let text: String

    init(_ text: String) { self.text = text }

    /// There is nothing to do, unless somebody wants it once more.
    func notices(allowing risks: Set<Risk>) throws(UpdateFailure) -> [UpdateNotice] {
        guard risks.contains(.sameVersion) else {
            throw UpdateFailure(
                .sameVersion, during: Self.step,
                message: "the application says that it is version \(text) already; nothing was sent",
                remedy: "nothing to do; \(.risk, "same-version") installs it once more")
        }
        return [
            .warning(
                .sameVersion,
                "the application says that it is version \(text) already; that it says so afterwards proves nothing "
                    + "about the new image")
        ]
    }
}
