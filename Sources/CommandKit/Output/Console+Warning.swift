package import UpdateModel

extension Console {
    /// A warning, which does not end the command: an event with a code, or a line on stderr. With `isLate` it may come
    /// after the last event, and is always a line on stderr.
    package func warn(_ code: FailureCode, _ text: String, isLate: Bool = false) {
        if style.isJSON, !isLate {
            return event(JSONLine("warning", ["code": .text(code.rawValue), "message": .text(text)]))
        }
        say("\(paint("warning", .yellow)) \(code): \(text)")
    }
}
