import Catalogue

extension CatalogueModel {
    /// The family's settings as options of `flash`.
    var flashArguments: [String] {
        settings.flatMap { setting in
            let name = "--" + setting.name.replacing("_", with: "-")
            switch setting.value {
            case "true": return [name]
            case "false": return []
            default: return [name, setting.value]
            }
        }
    }
}
