/// Chooses one of two banks (dialog-suota.md, Which image starts); a nil header is a bank without a valid image.
enum BankChoice {
    /// The bank that an update with bank 0 overwrites.
    static func target(_ first: BankHeader?, _ second: BankHeader?) -> Int {
        guard let first else { return 1 }
        guard let second else { return 2 }
        switch (first.id, second.id) {
        case (0xFF, 0xFF), (0xFF, 0x00): return 1
        case (0x00, 0xFF): return 2
        case (let one, let two): return one > two ? 2 : 1
        }
    }

    /// The bank that is loaded if both are valid.
    static func newer(_ first: BankHeader, _ second: BankHeader) -> Int {
        switch (first.id, second.id) {
        case (0xFF, 0x00): 2
        case (0x00, 0xFF): 1
        case (let one, let two): one >= two ? 1 : 2
        }
    }

    /// The id of a new image next to `other`.
    static func id(beside other: BankHeader?) -> UInt8 { other.map { $0.id &+ 1 } ?? 1 }
}
