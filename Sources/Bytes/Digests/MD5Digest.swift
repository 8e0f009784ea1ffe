import Crypto

/// MD5, for formats that require it; it is not secure.
public enum MD5Digest {
    /// The 16 bytes of the digest of `bytes`, in MD5's order.
    public static func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        Array(Insecure.MD5.hash(data: Array(bytes)))
    }
}
