import Archives
import ByteCoding
import NordicDFU
import Vendors

/// What a check has found, before the rules say how bad it is.
struct Flaw {
    let id: String
    let place: Finding.Place
    let message: String
    /// How bad the reader of the format thinks it is; the rule's own level goes before.
    let advice: FindingLevel

    init(
        _ id: String, _ place: Finding.Place = Finding.Place(), _ message: String,
        advice: FindingLevel = .error
    ) {
        self.id = id
        self.place = place
        self.message = message
        self.advice = advice
    }

    init(_ finding: PackageFinding) {
        self.init(
            finding.id, Finding.Place(entry: finding.entry, field: finding.field), finding.message,
            advice: finding.level)
    }

    init(_ finding: ByteFinding) {
        self.init(
            finding.id, Finding.Place(offset: finding.offset, field: finding.field), finding.message,
            advice: finding.level)
    }

    init(_ error: PackageFileError) {
        if case .nordic(.archive(let flaw)) = error, flaw.entry != nil || flaw.offset != nil {
            self.init(flaw.code, Finding.Place(entry: flaw.entry, offset: flaw.offset), flaw.cause)
        } else {
            self.init(error.code, Finding.Place(), "\(error)")
        }
    }
}
