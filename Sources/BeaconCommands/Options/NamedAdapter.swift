import BlueZ
import Radio

/// An adapter of several, by its name.
struct NamedAdapter: Sendable {
    /// As `hci0`, when the run began.
    let name: String
    /// What it is known by, whatever its number becomes.
    let key: String
    let adapter: any Adapter

    /// Throws what keeps one of the kernel's from hearing anything. Simulated ones can always listen.
    func requireListening() async throws(CommandFailure) {
        guard adapter is KernelAdapter else { return }
        do throws(AdapterError) { _ = try await adapter.advertisements() } catch {
            let failure = CommandFailure(from: error)
            guard !failure.message.contains(name) else { throw failure }
            throw failure.becoming(failure.code, "\(name): \(failure.message)")
        }
    }
}
