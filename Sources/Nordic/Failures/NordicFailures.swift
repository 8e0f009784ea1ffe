import Bytes
import UpdateModel

extension UpdateFailure {
    static let nothingToSend = UpdateFailure(
        .nordicRefusal.packageEmpty, during: "preparing", message: "there is nothing to send")

    static func strays(_ count: Int, during step: String) -> UpdateFailure {
        UpdateFailure(
            .device.unexpectedAnswer, during: step,
            message: "received \(count) notifications, none of them the response to the request")
    }

    static func tooShort(_ error: ByteError, during step: String) -> UpdateFailure {
        UpdateFailure(.device.unexpectedAnswer, during: step, message: "the response is too short: \(error)")
    }
}

struct RefusalCause {
    let code: FailureCode
    let words: String
    /// Advice for this image; nil to give the code's general advice.
    let remedy: Advice?

    init(_ code: FailureCode, _ words: String, _ remedy: Advice? = nil) {
        (self.code, self.words, self.remedy) = (code, words, remedy)
    }

    static let undocumented = RefusalCause(
        .nordicRefusal.unknownResult, "the bootloader refused for an undocumented reason")

    /// The failure of `step`, with the text of the status or result, `number`, that the bootloader sent.
    func failure(during step: String, _ number: String) -> UpdateFailure {
        UpdateFailure(code, during: step, message: "\(words) (\(number))", remedy: remedy)
    }
}

/// The check for an application that already reports the package's version.
enum InstalledVersion {
    static let step = "asking the application"

    /// Throws, because there is nothing to do, unless the user accepts that the same version is installed again.
    static func notices(of text: String, allowing risks: Set<Risk>) throws(UpdateFailure) -> [UpdateNotice] {
        let words = "the application already reports version \(text)"
        return try UpdateNotice.sameVersion(
            allowedBy: risks, during: step, "\(words); nothing was sent",
            warning: words + ", so the version it reports after the update does not confirm the new image")
    }
}
