import Bytes

/// The first two words of a program for a Cortex-M: the initial stack pointer and the reset vector.
struct VectorTable {
    /// Recognises it by the plausible values of the two words; nil if the file begins with something else.
    init?(startOf file: [UInt8]) {
        var reader = ByteReader(file)
        guard let (stack, reset) = try? Self.words(&reader) else { return nil }
        // The RAM of most chips, and of the DA14585 and DA14531, where the program is in RAM too.
        let ram: [Range<UInt32>] = [0x2000_0000..<0x2010_0001, 0x07FC_0000..<0x0800_0000]
        guard stack.isMultiple(of: 4), ram.contains(where: { $0.contains(stack) }) else { return nil }
        // Thumb code: the lowest bit is set.
        guard reset & 1 == 1, reset < 0x1000_0000 || ram.contains(where: { $0.contains(reset) }) else {
            return nil
        }
    }

    private static func words(_ reader: inout ByteReader) throws(ByteError) -> (UInt32, UInt32) {
        (try reader.integer("initial stack pointer"), try reader.integer("reset vector"))
    }
}
