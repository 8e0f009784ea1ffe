import Radio

/// An adapter of several, by its name.
struct NamedAdapter: Sendable {
    /// As `hci0`, when the run began.
    let name: String
    /// What it is known by, whatever its number becomes.
    let key: String
    let adapter: any Adapter
}
