extension Explanation {
    /// What is wrong with a journal, and with what it has to deliver.
    static let journal = [
        Explanation(
            "journal-missing", .noFile,
            "There is no journal at this place. The first run over a tray or flash makes one; its place is --journal, or beacon-dfu/"
                + "journal.sqlite in $XDG_STATE_HOME or ~/.local/state. What was done to simulated beacons is in "
                + "journal-simulated.sqlite there, which `history --simulated` asks.",
            next: "name the journal, or flash a beacon first"),
        Explanation(
            "flash-unrecorded", .done,
            "A single update could not be written into the journal, or not to its end. The update went on and is what it says; only "
                + "`history` does not have all of it. A journal that is named with --journal is needed before anything is sent.",
            next:
                "see to the journal by the code in the message; --journal names another, --no-journal needs none"
        ),
        Explanation(
            "journal-foreign", .badFile,
            "The file is not a journal of this program, or something else is where a file of the journal belongs (-wal, -shm, -journal, "
                + ".lock, .new). Nothing was changed in it.",
            next: "name another file, or move away what the message names"),
        Explanation(
            "journal-linked", .badFile,
            "The journal's file has several names (hard links). SQLite keeps a log beside each name, so that what a run has written "
                + "under one is missing, or destroys more, when a run is begun under another. It can still be read.",
            next:
                "remove the other names, which `find FOLDER -samefile FILE` shows; `history --export` makes a copy"
        ),
        Explanation(
            "journal-newer", .badFile,
            "A later version of this program has written the journal, with a schema that this one does not know. Nothing was "
                + "changed in it.", next: "use the program that has written it, or a later one"),
        Explanation(
            "journal-damaged", .badFile,
            "The journal is not what was written: the disk is failing, or the file was cut short, mixed with another, or "
                + "changed by hand.",
            next:
                "move the file aside with those beside it (-wal, -shm) and keep them; `sqlite3 FILE .recover` gets out what can "
                + "be read"),
        Explanation(
            "journal-disk-full", .noFile,
            "There is no room on the disk for the journal. Nothing is done to a beacon that cannot be written down first; "
                + "what was written before is kept.", next: "make room, then give the same command again"),
        Explanation(
            "journal-closed", .noFile, "The journal, or its folder, may not be read or written by this user.",
            next: "see to it that this user may write the file and its folder, or name another with --journal"
        ),
        Explanation(
            "journal-on-share", .noFile,
            "The journal would be on a file system that several machines use, or that a user's program serves. It would be damaged "
                + "there sooner or later: the memory and the locks that keep it whole end at this machine.",
            next: "keep it on a disk of this machine; `history --export` makes a copy to put elsewhere"),
        Explanation(
            "journal-taken", .tryAgain,
            "Another run is using the journal, which the message names with its process, its beginning and its tray. Two runs "
                + "could flash one beacon at the same time.",
            next: "wait for its end, or name another journal"),
        Explanation(
            "journal-busy", .tryAgain, "Another program has been writing to the journal for ten seconds.",
            next: "close whatever has the file open, as sqlite3 in another window"),
        Explanation(
            "journal-failed", .noFile, "The disk, or the library that writes the journal, reports a fault.",
            next: "look after the disk, then give the same command again"),
        Explanation(
            "journal-contradiction", .internalError,
            "What was to be written does not go with what the journal has. Nothing was written.",
            next: "report it with the journal"),
        Explanation(
            "outbox-key-unknown", .nothingToDo,
            "No result with this key waits to be delivered: it was taken, or there never was one.",
            next: "`beacon-dfu history outbox` lists those that wait, with their keys"),
        Explanation(
            "result-not-droppable", .failed,
            "The engine of several benches counts the results of a journal without gaps: after one that never comes it would want all "
                + "later ones again and again. Nothing was changed.",
            next:
                "leave it: it is handed in by itself, or set aside where the engine refuses it; --hook NAME drops that hook's alone"
        ),
        Explanation(
            "hook-behind", .tryAgain,
            "When the run was over, a hook had not taken all results, also after 40 seconds more. The units are what the "
                + "report says; only the hook does not know of all of them.",
            next:
                "see to the hook; the next run with it goes on where it stands, and `history outbox` shows what waits"
        ),
        Explanation(
            "hook-refused", .failed,
            "A hook has refused a result, or failed at it five times, so it was set aside and the others went past it. "
                + "The unit is what the report says.",
            next: "see why in `beacon-dfu history outbox`; then --retry KEY there, or --drop KEY"),
    ]
}
