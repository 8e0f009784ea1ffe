import TestSupport

/// Init packets with a signature that a device without a key accepts.
enum Signed {
    static func packet(
        _ image: [UInt8] = GoldenUpdate.pattern(9000), _ change: (inout InitRecipe) -> Void
    ) -> [UInt8] {
        InitRecipe(image) {
            $0.signature = (0, [UInt8](repeating: 1, count: 64))
            change(&$0)
        }.packet
    }
}
