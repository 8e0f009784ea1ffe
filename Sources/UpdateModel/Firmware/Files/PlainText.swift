/// Distinguishes text from firmware.
public enum PlainText {
    /// Whether the beginning of a file is only printable ASCII and white space.
    public static func begins(_ file: some Sequence<UInt8>) -> Bool {
        file.prefix(512).allSatisfy { (0x20..<0x7F).contains($0) || (0x09...0x0D).contains($0) }
    }
}
