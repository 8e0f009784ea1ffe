import ArgumentParser

/// Which journal is asked: the usual one, or that of simulated beacons.
struct HistoryPlace: ParsableArguments {
    @OptionGroup var journal: JournalOptions
    @Flag(help: "Ask the journal of simulated beacons.") var simulated = false

    func validate() throws {
        guard !simulated || journal.journal == nil else {
            throw ValidationError("give --simulated or --journal, not both")
        }
    }

    /// Its path.
    func path() throws(ValidationError) -> String { try journal.path(simulated: simulated) }
}
