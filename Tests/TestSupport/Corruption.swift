/// All the ways of damaging a byte string that every parser has to survive.
public enum Corruption {
    /// Every proper prefix, the empty one first.
    public static func prefixes(of bytes: [UInt8]) -> [[UInt8]] {
        bytes.indices.map { Array(bytes.prefix($0)) }
    }

    /// The bytes with one of them changed: by its lowest bit, its highest bit, and all bits.
    public static func flips(of bytes: [UInt8]) -> [(index: Int, bytes: [UInt8])] {
        bytes.indices.flatMap { index in
            ([0x01, 0x80, 0xFF] as [UInt8]).map { mask in
                var changed = bytes
                changed[index] ^= mask
                return (index, changed)
            }
        }
    }
}
