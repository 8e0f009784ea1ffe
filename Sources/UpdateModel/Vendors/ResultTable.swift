/// The meanings of the numbers with which devices answer in one protocol.
public struct ResultTable: Sendable {
    public struct Entry: Sendable {
        public let meaning: String
        /// The failures that the number leads to.
        public let codes: [FailureCode]

        public init(_ meaning: String, _ codes: [FailureCode] = []) {
            (self.meaning, self.codes) = (meaning, codes)
        }

        /// The summary of the only failure that the number leads to.
        public init(_ code: FailureCode) {
            self.init(code.summary.prefix(1).lowercased() + code.summary.dropFirst(), [code])
        }
    }

    /// The protocol, in a word.
    public let name: String
    /// What each number is, as a noun phrase with its article.
    public let title: String
    /// A number as an example, as it is written.
    public let example: String
    /// Whether logs and other programs write the numbers in decimal; else in hexadecimal.
    public let isDecimal: Bool
    /// Whether these are the answers of an application that is told to start its bootloader.
    public let isOfEntry: Bool
    /// The meanings by number, which are computed on each access: every start of the program lists the tables for its
    /// help, but rarely reads one.
    public var entries: [UInt8: Entry] { makeEntries() }
    private let makeEntries: @Sendable () -> [UInt8: Entry]
    /// The number that a second one follows, and the meanings of the second; nil if there is none.
    public let extended: (by: UInt8, entries: [UInt8: Entry])?

    public init(
        _ name: String, _ title: String, example: String, isDecimal: Bool = false, isOfEntry: Bool = false,
        _ entries: @autoclosure @escaping @Sendable () -> [UInt8: Entry],
        extended: (by: UInt8, entries: [UInt8: Entry])? = nil
    ) {
        (self.name, self.title, self.example) = (name, title, example)
        (self.isDecimal, self.isOfEntry) = (isDecimal, isOfEntry)
        (self.makeEntries, self.extended) = (entries, extended)
    }
}
