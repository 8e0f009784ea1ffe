package import TrayJournal

extension CommandFailure {
    package init(_ error: JournalError) {
        self.init(error.code, during: "using the journal", message: "\(error)", nextStep: error.nextStep)
    }
}
