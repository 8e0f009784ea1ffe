import Bytes
package import UpdateModel

extension TargetDevice {
    /// Parses a device from text such as `model=Blinker,hardware=52,version=10000,softdevice=0xB7`.
    package init(parsing text: String) throws(TargetProblem) {
        var facts: [String: String] = [:]
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let words = sides.map { side in String(side.trimmed { $0 == " " }) }
            guard words.count == 2, !words[1].isEmpty else {
                throw TargetProblem(description: "'\(item)' is not of the form key=value")
            }
            let (name, value) = (words[0].lowercased(), words[1])
            guard facts[name] == nil else { throw TargetProblem(description: "'\(name)' appears twice") }
            guard let key = Self.keys.first(where: { $0.name == name }) else {
                let known = Self.keyNames
                let list = "; valid keys are \(known.joined(separator: ", "))"
                let hint = Spelling.hint(for: name, in: known, otherwise: list)
                throw TargetProblem(description: "unknown key '\(name)'\(hint)")
            }
            guard key.takes(value) else { throw TargetProblem(description: key.refusal(of: value)) }
            facts[name] = value
        }
        self.init(facts)
    }

    /// The keys in ``init(parsing:)``.
    package static var keyNames: [String] { keys.map(\.name) }

    /// The common keys, then each vendor's own, without duplicates.
    private static var keys: [DeviceKey] {
        KnownVendors.all.flatMap(\.targetKeys)
            .reduce(into: [DeviceKey.text("model"), .text("version")]) { keys, key in
                if !keys.contains(where: { $0.name == key.name }) { keys.append(key) }
            }
    }
}

package struct TargetProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
}
