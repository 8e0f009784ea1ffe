/// An error that an SMP server answers with.
package struct SMPError: Error, Equatable, Sendable {
    /// The group that defines `code`; nil for the general numbers of version 1.
    package let group: Int?
    package let code: Int
    /// The device's own words, which some old devices add.
    package var reason: String?
}

extension SMPError {
    /// The error in an answer; nil for a success. Version 1 has `rc`, version 2 `err`; devices mix them.
    package init?(in content: CBORMap) {
        if let error = content.map("err"), let code = error.integer("rc"), code != 0 {
            self.init(group: error.integer("group"), code: code)
        } else if let code = content.integer("rc"), code != 0 {
            self.init(group: nil, code: code, reason: content.text("rsn"))
        } else {
            return nil
        }
    }
}

/// Cleans texts of a beacon, which may have any content.
enum DeviceText {
    static let longest = 200

    /// The words of `text` without control characters, up to ``longest``; nil if there are none.
    static func plain(_ text: String) -> String? {
        let scalars = text.unicodeScalars.prefix(longest).map { scalar in
            [.control, .format].contains(scalar.properties.generalCategory) ? " " : scalar
        }
        let words = String(String.UnicodeScalarView(scalars)).split(separator: " ").joined(separator: " ")
        return words.isEmpty ? nil : words
    }
}

extension String {
    /// Up to `most` characters of a beacon's text, without control characters, which a terminal would obey.
    func printable(atMost most: Int) -> String {
        String(unicodeScalars.filter { (0x20..<0x7F).contains($0.value) }.prefix(most).map(Character.init))
    }
}
