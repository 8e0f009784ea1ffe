import TestSupport

extension InitRecipe {
    init(_ image: [UInt8] = GoldenUpdate.pattern(9000)) { self.init(image) { _ in } }

    init(_ change: (inout Self) -> Void) { self.init(GoldenUpdate.pattern(9000), change) }
}
