import Bytes

/// A value of a beacon's answer.
typealias JSONValue = JSONTree

extension JSONTree {
    /// The value as an integer, if it is one.
    var integer: Int? {
        guard case .number(let digits) = self else { return nil }
        return Int(digits) ?? Double(digits).flatMap { Int(exactly: $0) }
    }

    var text: String? { if case .text(let text) = self { text } else { nil } }

    /// The members of the object in a beacon's answer; nil if it is not an object. Some beacons use unneeded
    /// and invalid escapes.
    static func members(inAnswer answer: some Collection<UInt8>) -> [String: JSONTree]? {
        members(in: answer) ?? members(in: answer.filter { $0 != UInt8(ascii: "\\") })
    }

    /// The members of an object in `text`; nil if it is not an object.
    static func members(in text: some Sequence<UInt8>) -> [String: JSONTree]? {
        guard case .members(let members)? = try? JSONTree(json: Array(text)) else { return nil }
        return members
    }
}
