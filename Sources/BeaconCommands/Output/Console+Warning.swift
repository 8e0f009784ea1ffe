extension Console {
    /// Something that does not end the command: an event with a code, or a line of talk.
    func warn(_ code: String, _ text: String) {
        event(JSONLine("warning", ["code": .text(code), "message": .text(text)]))
        if !style.isJSON { talk("\(paint("warning", .yellow)) \(code): \(text)") }
    }
}
