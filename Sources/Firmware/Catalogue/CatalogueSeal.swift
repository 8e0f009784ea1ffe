package import Bytes

/// A signed statement about a catalogue: its files at that time, and how long it is valid.
package struct CatalogueSeal: Hashable, Sendable {
    package struct File: Hashable, Sendable {
        package let name: String
        package let sha256: String

        package init(name: String, sha256: String) { (self.name, self.sha256) = (name, sha256) }
    }

    package static let fileName = "catalogue.seal"

    /// When it expires, in seconds since 1970 in UTC.
    package let expires: UInt32
    package let files: [File]
    /// The signer's count of seals: a later seal has a higher number. 0 in seals of format 1, which have no number.
    package let counter: Int64

    /// A seal on `files` until `expires`, the signer's `counter`-th; nil if the number is below 0, or if a name is
    /// empty or has control characters.
    package init?(_ files: [File], until expires: UInt32, counter: Int64) {
        guard counter >= 0,
            files.allSatisfy({ !$0.name.isEmpty && $0.name.unicodeScalars.allSatisfy { $0.value >= 0x20 } })
        else { return nil }
        (self.expires, self.counter) = (expires, counter)
        self.files = files.sorted { $0.name < $1.name }
    }

    /// The bytes that are signed.
    package var statement: [UInt8] {
        let head = counter == 0 ? ["seal of a catalogue, 1"] : ["seal of a catalogue, 2", "\(counter)"]
        return Self.lines(head + ["\(expires)"] + list)
    }

    /// The SHA-256 of its list of files, independent of its validity, in lower-case hexadecimal.
    package var content: String { SHA256Digest.text(of: Self.lines(list)) }

    private var list: [String] { files.map { "\($0.sha256) \($0.name)" } }

    private static func lines(_ texts: [String]) -> [UInt8] { texts.flatMap { Array(($0 + "\n").utf8) } }

    /// The content of the seal's file.
    package func text(signature: [UInt8]) -> String {
        let list = files.map { "  - {name: \(QuotedScalar.text($0.name)), sha256: \"\($0.sha256)\"}" }
        let lines =
            (counter == 0 ? ["seal: 1"] : ["seal: 2", "counter: \(counter)"])
            + ["expires: \(expires)", "files:"] + list
            + ["signature: \"\(HexText.encode(signature))\""]
        return lines.map { $0 + "\n" }.joined()
    }

    /// Parses a seal and its signature, which is not verified here.
    package static func parse(_ text: [UInt8]) throws(YAMLProblem) -> (CatalogueSeal, signature: [UInt8]) {
        let root = try YAMLValue(parsing: text)
        let values = try root.values(of: ["seal", "counter", "expires", "files", "signature"])
        let version = try root.required("seal", in: values)
        let counter: Int64
        switch try version.number(as: Int.self) {
        case 1:
            if let value = values["counter"] { throw value.problem("version 1 of the format has no counter") }
            counter = 0
        case 2:
            let value = try root.required("counter", in: values)
            counter = try value.number()
            guard counter > 0 else { throw value.problem("the counter must be a number from 1 on") }
        default: throw version.problem("only versions 1 and 2 of the format are supported")
        }
        var files: [File] = []
        for value in try root.required("files", in: values).list() {
            let members = try value.values(of: ["name", "sha256"])
            let name = try value.required("name", in: members).text()
            files.append(File(name: name, sha256: try value.required("sha256", in: members).text()))
        }
        let digits = try root.required("signature", in: values)
        guard let signature = try? HexText.decode(try digits.text()) else {
            throw digits.problem("a signature must be hexadecimal digits")
        }
        let expires: UInt32 = try root.required("expires", in: values).number()
        guard let seal = CatalogueSeal(files, until: expires, counter: counter) else {
            throw root.problem("a file's name has characters that are not allowed here")
        }
        return (seal, signature)
    }

    /// The first difference between `present`, the existing files, and the signed ones; nil if there is none.
    package func difference(from present: [File]) -> String? {
        let signed = Dictionary(files.map { ($0.name, $0.sha256) }) { first, _ in first }
        for file in present {
            guard let sha256 = signed[file.name] else { return "\(file.name) was not signed" }
            guard sha256 == file.sha256 else { return "\(file.name) was changed after signing" }
        }
        let names = Set(present.map(\.name))
        return files.first { !names.contains($0.name) }.map { "\($0.name) was signed but is missing" }
    }
}
