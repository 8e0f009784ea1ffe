import Bytes

extension HTML {
    /// The element `name` with `content`, in these CSS classes.
    static func tag(_ name: StaticString, class names: StaticString? = nil, _ content: HTML...) -> HTML {
        .element(name, names.map { [.class($0)] } ?? [], content)
    }

    /// `text` in the font of code.
    static func code(_ text: String) -> HTML { .tag("code", HTML(text)) }

    /// A picture with the view box `box`, stretched to its place; without a `label` it is a decoration, which screen
    /// readers skip.
    static func picture(_ name: String, _ box: String, _ label: String?, _ shapes: [HTML]) -> HTML {
        let meaning = label.map { [Attribute("role", "img"), Attribute("aria-label", $0)] }
        let place: [Attribute] = [
            .init("class", name), .init("viewBox", box), .init("preserveAspectRatio", "none"),
        ]
        return .element("svg", place + (meaning ?? [.init("aria-hidden", "true")]), shapes)
    }

    static func rect(_ name: String, _ x: Int, _ width: Int, _ height: Int) -> HTML {
        let place: [Attribute] = [
            .init("x", "\(x)"), .init("width", "\(width)"), .init("height", "\(height)"),
        ]
        return .single("rect", [.init("class", name)] + place)
    }
}
