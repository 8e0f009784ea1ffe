import Bytes
import UpdateModel

extension FBeaconFile {
    /// Findings about the model: whether the file names one, and consistently (fbeacon.md, Checks).
    func modelFindings() -> [Finding] {
        let model = ModelNumber(rawValue: header.modelNumber)
        guard let modelType else { return numberFindings(model) }
        guard model.rawValue != 0, !model.names.contains(modelType),
            let other = ModelNumber.named(modelType)
        else { return [] }
        return [
            Finding(
                "model-mismatch", .warning, offset: 14, field: "modelTypeNum",
                "is \(model.rawValue), but the number of \(modelType) is \(other.rawValue)")
        ]
    }

    /// The number alone has to identify the model.
    private func numberFindings(_ model: ModelNumber) -> [Finding] {
        func finding(_ id: String, _ level: FindingLevel, _ message: String) -> [Finding] {
            [Finding(id, level, offset: 14, field: "modelTypeNum", message)]
        }
        if model.rawValue == 0 {
            return finding(
                "model-missing", .warning, "is 0 and there is no modelType, so every beacon matches")
        }
        switch model.names.count {
        case 0: return finding("model-unknown", .note, "\(model.rawValue) is in no public table")
        case 1: return []
        default:
            let names = model.names.joined(separator: " or ")
            return finding("model-ambiguous", .note, "\(model.rawValue) is \(names)")
        }
    }

    /// What the encryption of a vendor's file authenticates is not public.
    func authenticityFindings() -> [Finding] {
        guard !isEncrypted else { return [] }
        return [
            Finding(
                "unauthenticated", .note, offset: 0, field: "container",
                "has no signature: its checksums protect against damage, not against forgery")
        ]
    }
}
