/// A field of a line of comma-separated values (RFC 4180), as spreadsheets of all languages write them.
///
/// Reads by scalars: a quotation mark with a combining mark after it is still a quotation mark.
struct ScannedField: Equatable {
    /// Without quotation marks, and without spaces around it.
    let text: String
    /// The first column, from 1, in Unicode scalars.
    let column: Int

    /// The fields of `line`, at least one.
    static func fields(of line: String) throws(ScannedCodeError) -> [ScannedField] {
        var rest = Array(line.unicodeScalars)[...]
        var fields: [ScannedField] = []
        while true {
            rest = rest.drop { $0.isBlank }
            let column = rest.startIndex + 1
            let text = rest.first == "\"" ? try quoted(from: &rest) : plain(from: &rest)
            fields.append(ScannedField(text: String(String.UnicodeScalarView(text)), column: column))
            guard rest.popFirst() != nil else { return fields }
        }
    }

    private static func plain(from rest: inout ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
        let end = rest.firstIndex { $0.isSeparator } ?? rest.endIndex
        var text = rest[..<end]
        rest = rest[end...]
        while text.last?.isBlank ?? false { text.removeLast() }
        return text
    }

    private static func quoted(
        from rest: inout ArraySlice<Unicode.Scalar>
    ) throws(ScannedCodeError) -> ArraySlice<Unicode.Scalar> {
        let column = rest.startIndex + 1
        var text: ArraySlice<Unicode.Scalar> = []
        rest.removeFirst()
        while let end = rest.firstIndex(of: "\"") {
            text += rest[..<end]
            rest = rest[(end + 1)...]
            guard rest.first == "\"" else {
                rest = rest.drop { $0.isBlank }
                guard rest.first?.isSeparator ?? true else {
                    throw ScannedCodeError(
                        column: rest.startIndex + 1, "after a quotation mark comes a comma or nothing")
                }
                return text
            }
            text.append(rest.removeFirst())
        }
        throw ScannedCodeError(column: column, "the quotation mark that ends this is missing")
    }
}

extension Unicode.Scalar {
    fileprivate var isSeparator: Bool { self == "," || self == ";" || self == "\t" }
    fileprivate var isBlank: Bool { properties.isWhitespace && self != "\t" }
}
