import Bytes

/// The answer of a device to `EnterDFU` (fbeacon.md, Entering).
///
///     0   2  OK
///     2   1  a separator
///     3   4  application version, hexadecimal, low byte first
///     7   4  bootloader version
///     11  4  model number
struct UpgradeReply: Equatable, Sendable {
    let version: UInt16
    let bootloader: UInt16
    let model: UInt16

    static let length = 15

    /// The first reply in the received bytes; nil if there is none yet.
    init?(in bytes: [UInt8]) {
        let mark = Array("OK".utf8)
        for start in bytes.indices.dropLast(Self.length - 1) where bytes[start...].starts(with: mark) {
            let digits = String(decoding: bytes[start + 3..<start + Self.length], as: UTF8.self)
            // Twelve digits: white space, which the decoder skips, would leave fewer bytes.
            guard let fields = try? HexText.decode(digits), fields.count == 6 else { continue }
            let numbers = [0, 2, 4].map { UInt16(fields[$0 + 1]) << 8 | UInt16(fields[$0]) }
            (version, bootloader, model) = (numbers[0], numbers[1], numbers[2])
            return
        }
        return nil
    }

    /// Models that continue over the same link (fbeacon.md, Entering).
    private static let staying: Set<UInt16> = [12, 15, 19, 20, 23, 24, 32, 34, 37, 40, 47, 49, 50]

    /// Whether the upgrade continues over the same link; if not, it needs a new one.
    var staysConnected: Bool { Self.staying.contains(model) }
}

/// The character after `EnterDFU`. Public sources disagree which of the two restores the default settings.
package enum EntryDigit: UInt8, CaseIterable, Sendable {
    case zero = 0x30
    case one = 0x31

    var other: EntryDigit { self == .zero ? .one : .zero }

    init?(text: String) {
        guard let digit = Self.allCases.first(where: { $0.text == text }) else { return nil }
        self = digit
    }

    package var text: String { self == .zero ? "0" : "1" }
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

/// `EnterDFU` and its digit, which tells a device to enter the upgrade.
struct EntryCommand: Equatable, Sendable {
    let bytes: [UInt8]

    /// The command for a device with `mark`, to restore its default settings or to keep its settings. `userDigit` is the
    /// restoring digit that the user gives. Nil if settings are to be restored, but no digit is known.
    init?(_ mark: OpenMark, restoring: Bool, userDigit: EntryDigit?) {
        let restoringDigit = mark.restoringDigit ?? userDigit
        guard restoringDigit != nil || !restoring else { return nil }
        let digit = restoring ? restoringDigit : restoringDigit?.other
        bytes = Array("EnterDFU".utf8) + [(digit ?? .zero).rawValue]
    }
}
