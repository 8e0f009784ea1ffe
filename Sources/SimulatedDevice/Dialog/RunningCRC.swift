import Digests

/// A CRC-32 that END inverts where it stands, so that every second END compares the wrong way round
/// (dialog-suota.md, Receivers 68x and 69x).
struct RunningCRC: Hashable, Sendable {
    private var digest = CRC32()
    private var isInverted = false

    mutating func update(_ bytes: ArraySlice<UInt8>) { digest.update(bytes) }

    /// Inverts, and then compares.
    mutating func invert(matching wanted: UInt32) -> Bool {
        isInverted.toggle()
        return (isInverted ? digest.value : ~digest.value) == wanted
    }
}
