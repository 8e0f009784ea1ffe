import ByteCoding

/// Text as a YAML file has it in quotes.
public enum QuotedScalar {
    /// `text` in double quotes; what could not be seen there is written as an escape.
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
