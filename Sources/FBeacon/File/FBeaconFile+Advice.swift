import ByteCoding

extension FBeaconFile {
    /// Whether the file says which model it is for, and whether it says one thing (fbeacon.md, Checks).
    func modelFindings() -> [ByteFinding] {
        let model = ModelNumber(rawValue: header.modelNumber)
        guard let modelType else { return numberFindings(model) }
        guard model.rawValue != 0, !model.names.contains(modelType),
            let other = ModelNumber.named(modelType)
        else { return [] }
        return [
            ByteFinding(
                "model-mismatch", .warning, offset: 14, field: "modelTypeNum",
                "is \(model.rawValue), but \(modelType) has the number \(other.rawValue)")
        ]
    }

    /// The number alone has to name the model.
    private func numberFindings(_ model: ModelNumber) -> [ByteFinding] {
        func finding(_ id: String, _ level: FindingLevel, _ message: String) -> [ByteFinding] {
            [ByteFinding(id, level, offset: 14, field: "modelTypeNum", message)]
        }
        if model.rawValue == 0 {
            return finding("model-missing", .warning, "is 0 and there is no modelType: any beacon fits")
        }
        switch model.names.count {
        case 0: return finding("model-unknown", .note, "\(model.rawValue) is in no public table")
        case 1: return []
        default:
            let names = model.names.joined(separator: " or ")
            return finding("model-ambiguous", .note, "\(model.rawValue) is \(names)")
        }
    }

    /// Of a vendor's file nobody outside knows what its encryption proves.
    func authenticityFindings() -> [ByteFinding] {
        guard !isEncrypted else { return [] }
        return [
            ByteFinding(
                "unauthenticated", .note, offset: 0, field: "container",
                "has no signature: its checksums protect against damage, not against forgery")
        ]
    }
}
