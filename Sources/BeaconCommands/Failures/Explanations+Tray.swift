extension Explanation {
    /// Runs of many beacons, and what they are written down in.
    static let tray = [
        Explanation(
            "adapter-single", .usage, "Several adapters are named, and the command uses one.",
            next: "name one; `batch` takes several"),
        Explanation(
            "journal-failed", .noFile,
            "What was about to be done to a unit could not be written down, so it was not done, and the run has ended.",
            next: "look after the disk that the journal is on, then go on with --resume"),
    ]
}
