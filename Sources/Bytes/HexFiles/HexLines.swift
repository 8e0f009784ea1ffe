/// The non-empty lines of a text, without surrounding white space. Lines end with LF, CR LF or CR.
struct HexLines {
    /// The number of the latest line, from 1.
    private(set) var number = 0
    private var rest: ArraySlice<UInt8>

    init(_ text: [UInt8]) { rest = text[...] }

    mutating func next() -> (line: ArraySlice<UInt8>, number: Int)? {
        while !rest.isEmpty {
            let line = rest.prefix { $0 != 0x0A && $0 != 0x0D }
            rest = rest[line.endIndex...]
            number += 1
            if rest.starts(with: [0x0D, 0x0A]) { rest = rest.dropFirst(2) } else { rest = rest.dropFirst() }
            let used = line.lastIndex { $0 != 0x20 && $0 != 0x09 }.map { line[...$0] } ?? []
            if !used.isEmpty { return (used, number) }
        }
        return nil
    }
}
