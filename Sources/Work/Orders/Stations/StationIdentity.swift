/// The identity of a station for the work server.
public struct StationIdentity: Hashable, Sendable {
    /// Its name, for example `line2-bench3`: letters, digits, `-`, `_` and `.`, at most 64.
    public let name: String
    /// The journal in which its results are numbered: a UUID in lower case, unique to each journal.
    public let incarnation: String
    /// A hash of the machine's id (machine-id(5)): it reveals a copied journal on another machine.
    public let machine: String

    /// Creates an identity with these values.
    public init(name: String, incarnation: String, machine: String) {
        (self.name, self.incarnation, self.machine) = (name, incarnation, machine)
    }

    /// The error in `name`; nil if it is a valid station name.
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
