/// A result builder that makes one list of the values and lists in a body, in their order.
@resultBuilder package enum ListBuilder<Element> {
    package static func buildExpression(_ element: Element) -> [Element] { [element] }
    package static func buildExpression(_ list: [Element]) -> [Element] { list }
    package static func buildBlock(_ lists: [Element]...) -> [Element] { lists.flatMap(\.self) }
    package static func buildOptional(_ list: [Element]?) -> [Element] { list ?? [] }
    package static func buildEither(first list: [Element]) -> [Element] { list }
    package static func buildEither(second list: [Element]) -> [Element] { list }
    package static func buildArray(_ lists: [[Element]]) -> [Element] { lists.flatMap(\.self) }
}
