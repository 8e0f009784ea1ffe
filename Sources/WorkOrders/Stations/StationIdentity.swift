/// Who a station is to the engine.
public struct StationIdentity: Hashable, Sendable {
    /// Its name, as `line2-bench3`: letters, digits, `-`, `_` and `.`, at most 64.
    public let name: String
    /// The journal that its results are numbered in: a UUID in lower case, another for each journal that was ever made.
    public let incarnation: String
    /// The machine (machine-id(5)) by a hash of it: a copied journal on another machine is found out by it.
    public let machine: String

    /// A station as described.
    public init(name: String, incarnation: String, machine: String) {
        (self.name, self.incarnation, self.machine) = (name, incarnation, machine)
    }

    /// What is wrong with `name`; nil where it can be a station's.
    public static func flaw(in name: String) -> String? {
        let isPlain = name.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-_.".utf8.contains(byte)
        }
        guard !name.isEmpty, name.utf8.count <= 64, isPlain else {
            return "a station's name has 1 to 64 letters, digits, '-', '_' and '.'"
        }
        return nil
    }
}
