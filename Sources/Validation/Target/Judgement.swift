import DialogSUOTA
import FBeacon
import NordicDFU
import Vendors

/// What a target would do with a file, and what that makes of the release.
struct Judgement {
    /// Nil for files that no device could be asked about.
    let verdict: Verdict?

    init(of content: PackageFile, for target: TargetDevice, key: NordicPublicKey?) {
        verdict =
            switch content {
            case .nordicSecure(let package):
                Verdict(NordicJudge(target: target, key: key).answers(to: package))
            case .suota(let image): Verdict(SUOTAJudge(target: target).answers(to: image))
            case .fbeacon(let file): Verdict(FBeaconJudge(target: target).answers(to: file))
            case .nordicLegacy(let package): Verdict(LegacyJudge(target: target).answers(to: package))
            case .unsupported: nil
            }
    }

    /// The verdict as a flaw, unless the same one was found in the content already.
    func flaws(beside others: [Finding]) -> [Flaw] {
        guard let verdict else { return [] }
        let id: String
        switch verdict {
        case .accepted: return []
        case .refused(let rule, _, _): id = rule
        case .undecided: id = "target-undecided"
        }
        return others.contains { $0.id == id } ? [] : [Flaw(id, "target: \(verdict)")]
    }
}
