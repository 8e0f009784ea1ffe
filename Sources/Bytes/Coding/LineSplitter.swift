extension BidirectionalCollection {
    /// The part between the first and the last element that is not `cut`; empty if all are.
    package func trimmed(of cut: (Element) -> Bool) -> SubSequence {
        let rest = drop(while: cut)
        return rest[..<(rest.lastIndex { !cut($0) }.map(rest.index(after:)) ?? rest.startIndex)]
    }
}

/// Splits bytes into lines as they arrive; the lines do not include the newlines.
package struct LineSplitter: Sendable {
    /// The treatment of a line that has more bytes than the limit.
    package enum Excess: Sendable {
        case skipped
        /// It is cut to the limit, with a question mark at the end, so that cutting cannot make an invalid line valid.
        case cut
    }

    private let limit: Int
    private let excess: Excess
    private var lines: ArraySlice<[UInt8]> = []
    private var begun: [UInt8] = []
    private var isSkipping = false

    package init(limit: Int, excess: Excess) { (self.limit, self.excess) = (limit, excess) }

    package mutating func append(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                if !isSkipping { lines.append(begun) }
                (begun, isSkipping) = ([], false)
            } else if begun.count < limit {
                begun.append(byte)
            } else if excess == .skipped {
                isSkipping = true
            } else {
                begun[limit - 1] = UInt8(ascii: "?")
            }
        }
    }

    package mutating func next() -> [UInt8]? { lines.popFirst() }

    /// Removes and returns the last line if no newline has ended it; nil if there is no such line.
    package mutating func rest() -> [UInt8]? {
        defer { (begun, isSkipping) = ([], false) }
        return begun.isEmpty || isSkipping ? nil : begun
    }
}
