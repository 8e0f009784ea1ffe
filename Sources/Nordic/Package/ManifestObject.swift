import Bytes

/// An object of a manifest, with its path for error messages. Members that are null count as missing.
struct ManifestObject {
    private let members: [String: JSONValue]
    private let path: String

    init(_ value: JSONValue, at path: String = "") throws(PackageError) {
        guard case .object(let members) = value else {
            throw .manifestField(path.isEmpty ? "the outermost value" : path, .wrongType)
        }
        self.members = members.filter { $0.value != .null }
        self.path = path
    }

    subscript(_ name: String) -> JSONValue? { members[name] }

    func field(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    func object(_ name: String) throws(PackageError) -> ManifestObject? {
        guard let value = members[name] else { return nil }
        return try ManifestObject(value, at: field(name))
    }

    /// The value that `read` makes of the member `name`; nil if there is none. Throws if `read` returns nil.
    func member<Value>(_ name: String, _ read: (JSONValue) -> Value?) throws(PackageError) -> Value? {
        guard let value = members[name] else { return nil }
        guard let content = read(value) else { throw .manifestField(field(name), .wrongType) }
        return content
    }

    func number(_ name: String) throws(PackageError) -> Double? {
        try member(name) { value in value.number.flatMap { $0.isFinite ? $0 : nil } }
    }
}
