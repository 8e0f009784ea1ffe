import ArgumentParser

/// A version as nrfutil packs it into a number: major · 10000 + minor · 100 + patch.
package struct VersionText: ExpressibleByArgument {
    package let value: UInt32

    init?(argument: String) {
        let words = argument.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = words.compactMap { word in
            word.allSatisfy { ("0"..."9").contains($0) } ? UInt32(word) : nil
        }
        // From 100 on, two versions would have the same number: 1.100.0 and 2.0.0.
        guard words.count == 3, numbers.count == 3, numbers[1] < 100, numbers[2] < 100,
            numbers[0] <= UInt32.max / 10000 - 1
        else { return nil }
        value = numbers[0] * 10000 + numbers[1] * 100 + numbers[2]
    }
}
