import Crypto

/// MD5, for formats that ask for it; it protects nothing.
public enum MD5Digest {
    /// The 16 bytes of the digest of `bytes`, in the order in which MD5 writes them.
    public static func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        Array(Insecure.MD5.hash(data: Array(bytes)))
    }
}
