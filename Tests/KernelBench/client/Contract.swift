import Bluetooth
import Glibc
import SeamContract

extension Adapter {
    /// Checks the adapter contract, one fact after another, and prints a line of JSON about each; returns true if all
    /// hold; violated ones are errors of the bench. `words` selects facts by their names.
    func keepsContract(with peers: Peers, choosing words: String) async -> Bool {
        var isKept = true
        for fact in AdapterFact<Self>.all where words.isEmpty || fact.name.contains(words) {
            let begun = time.now
            var seen: BrokenFact?
            do throws(BrokenFact) { try await fact.check(on: self, with: peers) } catch { seen = error }
            isKept = isKept && seen == nil
            if let seen { complain("error: \(fact.name): \(seen)\n") }
            let took = Int((time.now - begun) / .milliseconds(1))
            let reason = seen.map { #","seen":"\#(escaped($0.description))""# } ?? ""
            say(
                #"{"event":"fact","name":"\#(escaped(fact.name))","holds":\#(seen == nil),"ms":\#(took)\#(reason)}"#
            )
        }
        return isKept
    }
}

private func complain(_ text: String) { _ = write(STDERR_FILENO, text, text.utf8.count) }

private func escaped(_ text: String) -> String {
    String(text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] })
}
