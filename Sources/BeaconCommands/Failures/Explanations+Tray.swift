extension Explanation {
    /// Runs of many beacons, and what they are written down in.
    static let tray = [
        Explanation(
            "adapter-single", .usage, "Several adapters are named, and the command uses one.",
            next: "name one; `batch`, `doctor` and `beacon-dfu-station work` take several"),
        Explanation(
            "bench-check", .failed,
            "Something of the bench is not as a run needs it; the run begins all the same.",
            next: "`beacon-dfu doctor --tray` says what to do about it"),
        Explanation(
            "adapter-taken", .tryAgain,
            "Another run of many beacons has this adapter. Each would take the other's beacons for its own's neighbours.",
            next: "wait for its end, or use another adapter"),
        Explanation(
            "tray-invalid", .badFile, "The tray file cannot be used.",
            next: "correct the place that the message names; docs/formats/tray.md lists every key"),
        Explanation(
            "tray-empty", .nothingToDo, "Nothing that was heard is meant, so there is nothing to do.",
            next: "see with `beacon-dfu scan` what is heard, and what it says of itself"),
        Explanation(
            "tray-overrun", .failed,
            "More beacons are meant than there should be: those of another bench are heard too, or a condition means more than "
                + "it should. Nothing was done to any of them.",
            next:
                "make the conditions narrower, as with rssi>-60, name the beacons in a tray file, or raise --expected"
        ),
        Explanation(
            "slot-empty", .badFile, "A slot of the tray has no beacon.",
            next: "fill it with --codes, or give it a `device` in the tray file"),
        Explanation(
            "code-invalid", .badFile, "A line of the list of codes is no code.",
            next: "correct the line that the message names; docs/formats/tray.md says what a code is"),
        Explanation(
            "code-refused", .badFile,
            "A code was read twice, names a slot that there is not, or belongs to a beacon that was not heard or has passed "
                + "already.",
            next: "look at the label once more; --allow takes a decision about such codes"),
        Explanation(
            "report-format", .usage, "The name of a report's file says in which format it is written.",
            next: "let it end with .html, .csv, .kkm.csv, .json or .xml"),
        Explanation(
            "run-missing", .nothingToDo, "The journal has no run of this tray that could be gone on with.",
            next: "begin one: the same command without --resume and --retry-failed"),
        Explanation(
            "run-unknown", .nothingToDo, "The id means no run of the journal, or more than one.",
            next: "take a whole id from the column `run` of `beacon-dfu history --csv`, or `latest`"),
        Explanation(
            "run-complete", .nothingToDo, "The latest run of this tray has nothing left to do.",
            next:
                "for units that are not on their firmware --retry-failed; for a new run neither of the two options"
        ),
        Explanation(
            "run-superseded", .done,
            "A run of this tray was interrupted, and a new one was begun in place of going on with it. Units that have their "
                + "firmware are found to have it.",
            next: "nothing needs to be done; another time --resume goes on with the interrupted run"),
        Explanation(
            "file-changed", .badFile,
            "A unit was being sent a file that is another one by now. What its bootloader holds of the old one does not go with "
                + "the new one.",
            next:
                "put the file back that the journal names by its SHA-256, or update the unit by itself with `flash`"
        ),
        Explanation(
            "version-not-shown", .failed,
            "The unit has confirmed the image and come back in its application, and what that tells of its version, if anything, does "
                + "not show that the new one runs. A unit of a tray passes when its new version was read back.",
            next:
                "if such units cannot show it, let that count with --accept reappeared; see with `beacon-dfu info` what it tells"
        ),
        Explanation(
            "label-mismatch", .failed, "The unit itself says another id than its label.",
            next: "find out which unit lies there; its label, or its place in the list, is another unit's"),
        Explanation(
            "unit-time", .failed,
            "The unit took longer than the tray's `unit_s` allows, all its attempts together.",
            next: "see in the report where its time went, then --retry-failed"),
        Explanation(
            "tray-time", .tryAgain,
            "The tray took longer than its `tray_s` allows. Units that were not done are open.",
            next: "go on with --resume"),
        Explanation(
            "skipped", .failed, "A person has left the unit out of the run.",
            next: "--retry-failed takes it up again"),
        Explanation(
            "cut-off", .tryAgain,
            "The program, or the machine, ended in the middle of the attempt. What had been done is in the journal.",
            next: "go on with --resume"),
        Explanation(
            "installed-before", .done,
            "An earlier session of the run had told the unit to install the firmware and ended before it could look. The unit "
                + "says that it has it.",
            next: "nothing: its version was read"),
        Explanation(
            "golden-failed", .failed,
            "The first unit has to pass before the others begin, and did not: what is wrong with it may be wrong with all.",
            next: "see why it failed, mend that, then run the same command with --retry-failed"),
        Explanation(
            "consecutive-failures", .failed,
            "Several units in a row have failed, so no further one was begun.",
            next: "see what they have in common; then --resume, with another limit by --max-failures"),
        Explanation(
            "failure-share", .failed, "Too many of the last units have failed, so no further one was begun.",
            next: "see what they have in common; then --resume, with another limit by --max-failures"),
        Explanation(
            "same-cause", .failed,
            "Several units have ended for the same reason, so no further one was begun.",
            next: "see to that reason; then --resume, with another limit by --max-failures"),
        Explanation(
            "paused", .tryAgain, "A person has held the tray: no further unit was begun.",
            next: "go on with --resume"),
        Explanation(
            "stopping", .interrupted, "Somebody wants the run to end.",
            next: "wait for the units that run, or end the program once more to stop them at a safe point"),
    ]
}
