import Nordic
import TestSupport
import Testing

/// The published key of RFC 6979, appendix A.2.5, that signs the samples.
enum SampleKey {
    static func privateKey() throws -> NordicPrivateKey {
        let scalar = "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721"
        return try #require(NordicPrivateKey(scalar: [UInt8](hex: scalar)))
    }
}
