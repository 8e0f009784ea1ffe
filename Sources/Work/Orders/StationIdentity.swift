package struct StationIdentity: Hashable, Sendable {
    /// The station's name, for example `line2-bench3`: 1 to 64 letters, digits, `-`, `_` and `.`.
    package let name: String
    /// The id of the journal that numbers the station's results: a UUID in lower case.
    package let incarnation: String
    /// A hash of the machine's id (machine-id(5)), which reveals a journal that was copied to another machine.
    package let machine: String

    package init(name: String, incarnation: String, machine: String) {
        (self.name, self.incarnation, self.machine) = (name, incarnation, machine)
    }

    package static func flaw(in name: String) -> String? {
        let isPlain = name.unicodeScalars.allSatisfy { letter in
            switch letter {
            case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": true
            default: false
            }
        }
        return (1...64).contains(name.utf8.count) && isPlain
            ? nil : "a station's name has 1 to 64 letters, digits, '-', '_' and '.'"
    }
}
