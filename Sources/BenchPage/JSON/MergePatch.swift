extension PageValue {
    /// The patch that turns `earlier` into this value (RFC 7396, JSON Merge Patch); nil if they are equal.
    func patch(from earlier: PageValue) -> PageValue? {
        guard self != earlier else { return nil }
        guard case .object(let new) = self, case .object(let old) = earlier else { return self }
        var changes: [String: PageValue] = [:]
        for (name, value) in new {
            guard let before = old[name] else {
                changes[name] = value
                continue
            }
            if let change = value.patch(from: before) { changes[name] = change }
        }
        for name in old.keys where new[name] == nil { changes[name] = .null }
        return .object(changes)
    }

    /// This value with `patch` applied.
    public func patched(by patch: PageValue) -> PageValue {
        guard case .object(let changes) = patch else { return patch }
        var members: [String: PageValue] = [:]
        if case .object(let old) = self { members = old }
        for (name, change) in changes {
            members[name] = change == .null ? nil : (members[name] ?? .null).patched(by: change)
        }
        return .object(members)
    }
}
