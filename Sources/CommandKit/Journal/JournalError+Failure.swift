package import TrayJournal

extension CommandFailure {
    /// The failure of a journal that cannot be used.
    package init(_ error: JournalError) {
        self.init(error.code, during: "using the journal", message: "\(error)", nextStep: error.nextStep)
    }
}
