/// An element of an XML document (XML 1.0), as far as firmware lists use it: elements, attributes, text,
/// comments, CDATA, and the predefined entities. A document type, which could define other entities, is refused.
///
/// FoundationXML is not used: it would make the program 44 MB larger.
struct XMLElement {
    let name: String
    let attributes: [String: String]
    /// The line of its name, from 1.
    let line: Int
    fileprivate(set) var children: [XMLElement] = []
    /// Its own text, without that of its child elements.
    fileprivate(set) var text = ""

    fileprivate init(_ name: String, _ attributes: [String: String], line: Int) {
        (self.name, self.attributes, self.line) = (name, attributes, line)
    }

    /// The root element of the document in `bytes`, in UTF-8.
    init(parsing bytes: [UInt8]) throws(XMLProblem) {
        var reader = XMLReader(bytes)
        self = try reader.document()
    }

    func all(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }

    /// Its text and that of its descendants, with single spaces.
    var words: String {
        ([text] + children.map(\.words)).flatMap { $0.split(whereSeparator: \.isWhitespace) }
            .joined(separator: " ")
    }
}

/// Why a text is not XML, or not the expected document.
package struct XMLProblem: Error, Hashable, Sendable {
    /// The line, from 1.
    package let line: Int
    package let message: String
}

extension XMLProblem: CustomStringConvertible {
    package var description: String { "line \(line): \(message)" }
}

private struct XMLReader {
    private let scalars: [Unicode.Scalar]
    private var place = 0
    private var line = 1

    /// The deepest nesting of elements: deeper than any list has, and safe for recursion.
    private static let greatestDepth = 64

    init(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        scalars = Array(text.unicodeScalars.drop { $0 == "\u{FEFF}" })
    }

    mutating func document() throws(XMLProblem) -> XMLElement {
        try skipMisc()
        guard take("<") else { throw problem("an element is expected here") }
        let root = try element(depth: 0)
        try skipMisc()
        guard place == scalars.count else {
            throw problem("unexpected content after the end of the document")
        }
        return root
    }

    private mutating func element(depth: Int) throws(XMLProblem) -> XMLElement {
        guard depth < Self.greatestDepth else { throw problem("elements are nested too deeply") }
        let start = line
        let name = try name()
        var element = XMLElement(name, try attributes(), line: start)
        if take("/>") { return element }
        guard take(">") else { throw problem("'>' is expected here") }
        while true {
            if take("</") {
                guard try self.name() == name else { throw problem("</\(name)> is expected here") }
                skipSpace()
                guard take(">") else { throw problem("'>' is expected here") }
                return element
            }
            if take("<![CDATA[") {
                element.text += try text(before: "]]>")
            } else if try !skipMarkup() {
                if take("<") {
                    element.children.append(try self.element(depth: depth + 1))
                } else {
                    element.text.unicodeScalars.append(try character())
                }
            }
        }
    }

    private mutating func attributes() throws(XMLProblem) -> [String: String] {
        var attributes: [String: String] = [:]
        while true {
            skipSpace()
            guard let next = peek, next != ">", next != "/" else { return attributes }
            let key = try name()
            skipSpace()
            guard take("=") else { throw problem("'=' is expected here") }
            skipSpace()
            guard let quote = peek, quote == "\"" || quote == "'" else {
                throw problem("a quote is expected here")
            }
            advance()
            var value = ""
            while peek != quote { value.unicodeScalars.append(try character()) }
            advance()
            guard attributes.updateValue(value, forKey: key) == nil else {
                throw problem("'\(key)' appears twice")
            }
        }
    }

    private mutating func name() throws(XMLProblem) -> String {
        var name = ""
        while let scalar = peek,
            scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                || "_-.:".unicodeScalars.contains(scalar)
        {
            name.unicodeScalars.append(scalar)
            advance()
        }
        guard !name.isEmpty else { throw problem("a name is expected here") }
        return name
    }

    /// A character of a text or of a value, with entities replaced.
    private mutating func character() throws(XMLProblem) -> Unicode.Scalar {
        guard let scalar = peek, scalar != "<" else { throw problem("the document ends within an element") }
        advance()
        guard scalar == "&" else { return scalar }
        let entity = try text(before: ";")
        let known: [String: Unicode.Scalar] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
        let number =
            entity.hasPrefix("#x")
            ? UInt32(entity.dropFirst(2), radix: 16)
            : entity.hasPrefix("#") ? UInt32(entity.dropFirst()) : nil
        guard let meant = known[entity] ?? number.flatMap(Unicode.Scalar.init) else {
            throw problem("unknown entity '\(entity.prefix(20))'")
        }
        return meant
    }

    /// Skips comments, instructions and white space around the root element.
    private mutating func skipMisc() throws(XMLProblem) {
        repeat { skipSpace() } while try skipMarkup()
    }

    /// Skips a comment or an instruction; returns whether there was one.
    private mutating func skipMarkup() throws(XMLProblem) -> Bool {
        guard !take("<!DOCTYPE") else { throw problem("document types are not supported") }
        if take("<!--") {
            _ = try text(before: "-->")
        } else if take("<?") {
            _ = try text(before: "?>")
        } else {
            return false
        }
        return true
    }

    private mutating func text(before end: String) throws(XMLProblem) -> String {
        var text = ""
        while !take(end) {
            guard let scalar = peek else { throw problem("'\(end)' is missing") }
            text.unicodeScalars.append(scalar)
            advance()
        }
        return text
    }

    private mutating func skipSpace() {
        while let scalar = peek, scalar.properties.isWhitespace { advance() }
    }

    private mutating func take(_ word: String) -> Bool {
        guard scalars[place...].starts(with: word.unicodeScalars) else { return false }
        for _ in word.unicodeScalars { advance() }
        return true
    }

    private mutating func advance() {
        if scalars[place] == "\n" { line += 1 }
        place += 1
    }

    private var peek: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

    private func problem(_ message: String) -> XMLProblem { XMLProblem(line: line, message: message) }
}
