/// A kind of firmware file, and of the updates that install it, by its name in JSON output and in catalogues.
/// Each vendor declares its own kinds.
public struct FirmwareKind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }
}

/// Distinguishes text from firmware.
public enum PlainText {
    /// Whether the first 512 bytes of a file are only printable ASCII and white space.
    public static func begins(_ file: some Sequence<UInt8>) -> Bool {
        file.prefix(512).allSatisfy { (0x20..<0x7F).contains($0) || (0x09...0x0D).contains($0) }
    }
}

/// Why a file of a known format cannot be read.
public struct FirmwareFileError: Error, Equatable, Sendable, CustomStringConvertible {
    public let finding: Finding
    public let description: String

    /// An error with `description` for people, and a finding with the message `cause`; nil if both are the same text.
    public init(
        _ code: FailureCode, at place: Finding.Place = Finding.Place(), cause: String? = nil,
        _ description: String
    ) {
        finding = Finding(code, .error, place, cause ?? description)
        self.description = description
    }

    public var code: FailureCode { finding.code }
}
