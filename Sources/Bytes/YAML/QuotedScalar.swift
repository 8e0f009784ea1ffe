/// Quoted text for a YAML file.
public enum QuotedScalar {
    /// `text` in double quotes; invisible characters are written as escapes.
    public static func text(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\", "\"": "\\\(scalar)"
            case _ where VisibleText.isInvisible(scalar): "\\U" + HexText.digits(scalar.value)
            default: "\(scalar)"
            }
        }
        return "\"\(scalars.joined())\""
    }
}
