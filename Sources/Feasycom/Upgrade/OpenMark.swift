/// The character after `EnterDFU`. Public sources disagree which of the two restores the default settings.
public enum EntryDigit: UInt8, CaseIterable, Sendable {
    case zero = 0x30
    case one = 0x31

    /// The other digit.
    var other: EntryDigit { self == .zero ? .one : .zero }

    /// The digit as text.
    public var text: String { self == .zero ? "0" : "1" }
}

/// A device's declaration that it accepts open containers (fbeacon.md, Open devices). An ``EntryCommand`` can
/// only be made from it, so that none is sent to an original Feasycom device.
///
///     0  1  version of the container: 1
///     1  1  the digit that restores the default settings: 30, 31, or 00 for neither
struct OpenMark: Equatable, Sendable {
    let restoringDigit: EntryDigit?

    /// Parses the value of the characteristic; nil unless it is the mark of version 1. Further bytes are left
    /// to later versions of the mark.
    init?(value: some Sequence<UInt8>) {
        let bytes = Array(value.prefix(2))
        guard bytes.count == 2, bytes[0] == 1 else { return nil }
        restoringDigit = EntryDigit(rawValue: bytes[1])
        if restoringDigit == nil, bytes[1] != 0 { return nil }
    }
}

/// The command that makes an open device enter an upgrade.
struct EntryCommand: Equatable, Sendable {
    let bytes: [UInt8]

    /// The command for a device with `mark` that restores its settings, or keeps them; `named` is the digit for
    /// restoring according to the user. Nil if the digit is unknown.
    init?(_ mark: OpenMark, restoring: Bool, named: EntryDigit?) {
        let restoringDigit = mark.restoringDigit ?? named
        guard restoringDigit != nil || !restoring else { return nil }
        let digit = restoring ? restoringDigit : restoringDigit?.other
        bytes = Array("EnterDFU".utf8) + [(digit ?? .zero).rawValue]
    }
}
