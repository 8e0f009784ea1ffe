/// The checks of a new SoftDevice after its last byte.
public enum SoftDeviceCheck: Hashable, Sendable {
    /// Its magic number and its end address.
    case structure
    /// If it comes alone, it has the major version of the installed one.
    case major
    /// If it comes alone, it is of the family of the installed one.
    case family
}

/// Family and major version of a SoftDevice.
struct SoftDeviceRelease: Hashable, Sendable {
    let family: Int
    let major: Int

    init(family: Int, major: Int) {
        self.family = family
        self.major = major
    }

    /// The release of a published SoftDevice; nil for an FWID that is not in the table of nrfutil 6.1.
    init?(firmwareID: UInt16) {
        guard let known = Self.known.first(where: { $0.firmwareIDs.contains(firmwareID) }) else { return nil }
        self.init(family: known.family, major: known.major)
    }

    private static let known: [(family: Int, major: Int, firmwareIDs: Set<UInt16>)] = [
        (112, 6, [0xA7, 0xB0, 0xB8]), (112, 7, [0xC4, 0xCD, 0x103, 0x126]),
        (113, 7, [0xC3, 0xCC, 0x102, 0x125]), (122, 8, [0xEA, 0x112]),
        (130, 1, [0x67]), (130, 2, [0x80, 0x87]),
        (132, 2, [0x81, 0x88]), (132, 3, [0x8C, 0x91]), (132, 4, [0x95, 0x98, 0x99, 0x9E, 0x9F]),
        (132, 5, [0x9D, 0xA5]), (132, 6, [0xA8, 0xAF, 0xB7]), (132, 7, [0xC2, 0xCB, 0x101, 0x117, 0x124]),
        (140, 6, [0xA9, 0xAE, 0xB6]), (140, 7, [0xC1, 0xCA, 0x100, 0x123]),
        (212, 6, [0xBC]), (332, 6, [0xBA]), (340, 6, [0xB9]),
    ]
}
