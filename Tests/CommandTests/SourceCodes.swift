/// The codes in a program's sources, in Swift, in its SQL and scripts, and in C: the arguments and values of parameters
/// and variables called `code`, wherever they are declared. No name of a function is listed here.
struct SourceCodes {
    private(set) var codes: Set<String> = []

    /// By function or type name: the positions of its unlabelled `code` parameters.
    private var places: [String: Set<Int>] = [:]
    private var calls: [(name: String, arguments: [String])] = []

    init(in sources: [String]) {
        for source in sources { read(Array(source.utf8)) }
        for call in calls {
            for place in places[call.name] ?? [] where place < call.arguments.count {
                codes.formUnion(Self.literals(call.arguments[place]))
            }
            for argument in call.arguments {
                let words = argument.split(separator: ":", maxSplits: 1).map {
                    $0.filter { !$0.isWhitespace }
                }
                let isCode = words.first == "code" || words.first == "rawValue" && call.name.hasSuffix("Code")
                if words.count == 2, isCode { codes.formUnion(Self.literals(argument)) }
            }
        }
    }

    // MARK: Reading

    private mutating func read(_ text: [UInt8]) {
        var (index, before, type) = (0, "", "")
        while index < text.count {
            guard Self.isWord(text[index]) else {
                index += 1
                continue
            }
            let start = index
            while index < text.count, Self.isWord(text[index]) { index += 1 }
            let word = String(decoding: text[start..<index], as: UTF8.self)
            if ["struct", "enum", "class", "actor", "extension"].contains(before) { type = word }
            // The last part of `extension Outer.Inner`.
            if start > 0, text[start - 1] == UInt8(ascii: "."), before == type { type = word }
            if word == "code" || word == "CONSTRAINT" { set(text, after: index) }
            var next = index
            if text.dropFirst(next).first == UInt8(ascii: "?") { next += 1 }
            if before == "func" || word == "init", text.dropFirst(next).first == UInt8(ascii: "<") {
                while next < text.count, text[next] != UInt8(ascii: ">") { next += 1 }
                next += 1
            }
            if next < text.count, text[next] == UInt8(ascii: "(") {
                let arguments = Self.arguments(text, from: next + 1)
                let isStart = start == 0 || text[start - 1] != UInt8(ascii: ".")
                if ["func", "FUNCTION", "void"].contains(before) || (word == "init" && isStart) {
                    declare(word == "init" ? type : word, arguments)
                } else if arguments.contains(where: { !Self.literals($0).isEmpty }) {
                    calls.append((word, arguments))
                }
            }
            before = word
        }
    }

    private mutating func declare(_ name: String, _ parameters: [String]) {
        for (place, parameter) in parameters.enumerated() {
            let words = parameter.split { $0.isWhitespace || $0 == ":" }
            let isCode = words.first == "p_code" || words.last == "*code"
            if isCode || words.starts(with: ["_", "code", "String"]) {
                places[name, default: []].insert(place)
            }
        }
    }

    /// A literal that is assigned: `code = "…"`, `code := '…'`, `"code": .text("…")`.
    private mutating func set(_ text: [UInt8], after end: Int) {
        let rest = String(decoding: text[end..<min(end + 120, text.count)], as: UTF8.self)
        let shape = /^(?:"\s*:\s*\.text\(|\s*:?=\s*(?:\w+ \?\? )?)(["'][a-z0-9-]+["'])/
        if let match = rest.firstMatch(of: shape) { codes.formUnion(Self.literals(String(match.1))) }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// The arguments between parentheses, the first of which is before `start`, split at commas.
    private static func arguments(_ text: [UInt8], from start: Int) -> [String] {
        var (found, piece, depth): ([String], [UInt8], Int) = ([], [], 0)
        var quote: UInt8?
        var index = start
        while index < text.count {
            let byte = text[index]
            if let open = quote {
                if byte == open { quote = nil }
                if byte == UInt8(ascii: "\\"), index + 1 < text.count {
                    piece.append(byte)
                    index += 1
                }
            } else {
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
                case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
                case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                    if depth == 0 { return found + [String(decoding: piece, as: UTF8.self)] }
                    depth -= 1
                case UInt8(ascii: ",") where depth == 0:
                    found.append(String(decoding: piece, as: UTF8.self))
                    piece = []
                    index += 1
                    continue
                default: break
                }
            }
            piece.append(text[index])
            index += 1
            // Text with unbalanced brackets, for example a comment.
            if piece.count > 20_000 { return [] }
        }
        return []
    }

    /// The codes in quotes: kebab case, of at least two words.
    private static func literals(_ text: String) -> [String] {
        var found: [String] = []
        for piece in text.split(whereSeparator: { $0 == "\"" || $0 == "'" })
        where piece.contains("-")
            && piece.allSatisfy({ $0 == "-" || $0.isASCII && ($0.isLowercase || $0.isNumber) })
        {
            guard piece.first?.isLetter == true, piece.last != "-" else { continue }
            found.append(String(piece))
        }
        return found
    }
}
