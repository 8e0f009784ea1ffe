import Bytes

/// A CRC-32 that END inverts in place, so that every second END compares the inverse (dialog-suota.md, Receivers 68x
/// and 69x).
struct RunningCRC: Hashable, Sendable {
    private var digest = CRC32()
    private var isInverted = false

    mutating func update(_ bytes: ArraySlice<UInt8>) { digest.update(bytes) }

    /// Inverts the CRC, then compares it.
    mutating func invert(matching wanted: UInt32) -> Bool {
        isInverted.toggle()
        return (isInverted ? digest.value : ~digest.value) == wanted
    }
}
