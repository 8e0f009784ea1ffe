/// The character after `EnterDFU`. Public sources disagree which of the two restores the default settings.
public enum EntryDigit: UInt8, CaseIterable, Sendable {
    case zero = 0x30
    case one = 0x31

    /// The one that does what this one does not.
    var other: EntryDigit { self == .zero ? .one : .zero }

    /// As somebody types it.
    public var text: String { self == .zero ? "0" : "1" }
}

/// A device's word that it takes open containers (fbeacon.md, Open devices). Nothing but this word makes an ``EntryCommand``,
/// so that none is sent to a device of the maker's.
///
///     0  1  version of the container: 1
///     1  1  the digit that restores the default settings: 30, 31, or 00 for neither
struct OpenMark: Equatable, Sendable {
    let restoringDigit: EntryDigit?

    /// Reads the value of the characteristic; nil where it is not the mark of version 1. What follows is left to later
    /// versions of the mark.
    init?(value: some Sequence<UInt8>) {
        let bytes = Array(value.prefix(2))
        guard bytes.count == 2, bytes[0] == 1 else { return nil }
        restoringDigit = EntryDigit(rawValue: bytes[1])
        if restoringDigit == nil, bytes[1] != 0 { return nil }
    }
}

/// What leads an open device into an upgrade.
struct EntryCommand: Equatable, Sendable {
    let bytes: [UInt8]

    /// What a device with `mark` is told so that it restores its settings, or keeps them; `named` is the digit that somebody
    /// says restores. Nil where nobody knows how to restore.
    init?(_ mark: OpenMark, restoring: Bool, named: EntryDigit?) {
        let restoringDigit = mark.restoringDigit ?? named
        guard restoringDigit != nil || !restoring else { return nil }
        let digit = restoring ? restoringDigit : restoringDigit?.other
        bytes = Array("EnterDFU".utf8) + [(digit ?? .zero).rawValue]
    }
}
