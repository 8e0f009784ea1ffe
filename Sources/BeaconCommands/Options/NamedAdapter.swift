import Radio

/// An adapter of several, by its name.
struct NamedAdapter: Sendable {
    /// As `hci0`.
    let name: String
    let adapter: any Adapter
}
