package import UpdateModel

package struct JournalCodes: FailureCodeGroup {
    package static let topic = FailureTopic("Journals")

    package let missing = FailureCode(
        "journal-missing", .noFile,
        "There is no journal at this path. The first run over a tray, or the first flash, creates one; its "
            + "path is --journal, or beacon-dfu/journal.sqlite in $XDG_STATE_HOME or ~/.local/state. Updates "
            + "of simulated beacons are in journal-simulated.sqlite in the same folder, which "
            + "`history --simulated` reads.",
        next: "name the journal, or flash a beacon first")
    package let flashUnrecorded = FailureCode(
        "flash-unrecorded", .done,
        "A single update could not be written to the journal, or not completely. The update itself is as "
            + "reported; only `history` lacks a part of it. A journal named with --journal has to be "
            + "writable before anything is sent.",
        next: "fix the journal (see the code in the message), name another with --journal, or give "
            + "--no-journal")
    package let foreign = FailureCode(
        "journal-foreign", .badFile,
        "The file is not a journal of this program, or something else has the name of one of the journal's "
            + "files (-wal, -shm, -journal, .lock, .new). Nothing in it was changed.",
        next: "name another file, or move away what the message names")
    package let linked = FailureCode(
        "journal-linked", .badFile,
        "The journal's file has several names (hard links). SQLite keeps a log for each name: what one run "
            + "writes under one name can be lost in a run under another, and damage the file. It can still be "
            + "read.",
        next: "remove the other names, which `find FOLDER -samefile FILE` shows; `history --export` makes a "
            + "copy")
    package let newer = FailureCode(
        "journal-newer", .badFile,
        "A later version of this program wrote the journal, with a schema that this one does not know. "
            + "Nothing in it was changed.",
        next: "use the program that wrote it, or a later one")
    package let damaged = FailureCode(
        "journal-damaged", .badFile,
        "The journal is not what was written: the disk is failing, or the file was truncated, mixed with "
            + "another, or changed by hand.",
        next: "move the file aside together with its -wal and -shm files, and keep them; `sqlite3 FILE "
            + ".recover` extracts what can be read")
    package let diskFull = FailureCode(
        "journal-disk-full", .noFile,
        "There is no space on the disk for the journal. Nothing is done to a beacon unless it can be "
            + "recorded first; earlier records are kept.",
        next: "free space, then give the same command again")
    package let inaccessible = FailureCode(
        "journal-closed", .noFile, "This user may not read or write the journal or its folder.",
        next: "give this user write access to the file and its folder, or name another with --journal")
    package let onShare = FailureCode(
        "journal-on-share", .noFile,
        "The journal would be on a file system that several machines use, or that a user-space program "
            + "serves. It would be damaged there sooner or later: the shared memory and the locks that "
            + "protect it work on one machine only.",
        next: "keep it on a disk of this machine; `history --export` makes a copy to put elsewhere")
    package let taken = FailureCode(
        "journal-taken", .tryAgain,
        "Another run is using the journal; the message names its process, its start and its tray. Two runs "
            + "could flash one beacon at the same time.",
        next: "wait until it ends, or name another journal")
    package let busy = FailureCode(
        "journal-busy", .tryAgain, "Another program has been writing to the journal for ten seconds.",
        next: "close the program that has the file open, such as sqlite3 in another window")
    package let failed = FailureCode(
        "journal-failed", .noFile, "The disk, or the library that writes the journal, reports a fault.",
        next: "check the disk, then give the same command again", unit: .error)
    package let contradiction = FailureCode(
        "journal-contradiction", .internalError,
        "The record to be written contradicts the journal. Nothing was written.",
        next: "report it with the journal")
    package let outboxKeyUnknown = FailureCode(
        "outbox-key-unknown", .nothingToDo,
        "No result with this key is waiting for delivery: it was delivered, or never existed.",
        next: "`beacon-dfu history outbox` lists the waiting results with their keys")
    package let resultNotDroppable = FailureCode(
        "result-not-droppable", .failed,
        "The work server counts the results of a journal without gaps: after a dropped one it would request "
            + "all later ones again and again. Nothing was changed.",
        next: "leave it: it is delivered automatically, or set aside if the work server refuses it; --hook "
            + "NAME drops only that hook's")
    package let hookBehind = FailureCode(
        "hook-behind", .tryAgain,
        "At the end of the run a hook had not taken all results, even after 40 more seconds. The units are "
            + "as the report says; only the hook lacks some results.",
        next: "fix the hook; the next run with it continues from there, and `history outbox` shows what is "
            + "waiting")
    package let hookRefused = FailureCode(
        "hook-refused", .failed,
        "A hook refused a result, or failed at it five times, so that result was set aside and the others "
            + "were delivered. The unit is as the report says.",
        next: "see the reason in `beacon-dfu history outbox`; then --retry KEY there, or --drop KEY")
}

extension FailureCode { package static let journal = JournalCodes() }
