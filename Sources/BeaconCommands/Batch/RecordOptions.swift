import ArgumentParser

/// Where a run is written down, and for whom.
struct RecordOptions: ParsableArguments {
    @OptionGroup var journal: JournalOptions
    @Option(help: ArgumentHelp("The bench, for the record.", valueName: "name")) var station: String?
    @Option(
        name: .customLong("operator"),
        help: ArgumentHelp("Who works at it, for the record.", valueName: "name"))
    var operatorName: String?
    @Option(help: ArgumentHelp("The work order, for the record.", valueName: "text")) var orderNumber: String?

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Write the report of the whole run to this file; its name says how: .html, .csv, .kkm.csv, .json or .xml (JUnit).",
            valueName: "file"),
        completion: .file())
    var report: [String] = []
}
