extension Explanation {
    /// What goes wrong with beacons that have sessions.
    static let sessions = [
        Explanation(
            "session-not-offered", .failed,
            "The beacon does not have the service that such sessions are held over. It may be of another make, or run its "
                + "bootloader.", next: "see what it has with `beacon-dfu info --device ADDRESS`"),
        Explanation(
            "password-wrong", .failed,
            "The beacon has another password or PIN. A KBeacon proves its own first, so that nothing was sent to it after that; a "
                + "Feasycom beacon was told the PIN. A wrong one is tried once in a run.",
            next: "put the right one into the file of --secrets, under `devices`"),
        Explanation(
            "password-missing", .failed,
            "The beacon advertises that it wants a PIN, and none is given for it. Nothing was written to it.",
            next: "put it into a file of secrets, and give that with --secrets"),
        Explanation(
            "authentication-refused", .failed,
            "The beacon has proven that it knows the password, and refuses our proof of the same. That should not happen.",
            next: "switch the beacon off and on, then try again with --log-level debug"),
        Explanation(
            "no-dfu-on-this-hardware", .failed,
            "The beacon cannot be updated over the air, as it says itself: a KBeacon of the first generation by its model, which has "
                + "to contain NRF52XX, one of the second by a bit of its capabilities. Nothing of it was changed.",
            next: "see what it is with `beacon-dfu info --device ADDRESS`, and ask its maker"),
        Explanation(
            "session-busy", .tryAgain,
            "Something else is being asked of the beacon over the same session; one thing at a time is.",
            next: "wait until that is over"),
        Explanation(
            "session-closed", .tryAgain, "The session was closed, or never opened.",
            next: "give the command again"),
        Explanation(
            "beacon-busy", .tryAgain, "The beacon says that it is busy, with another program or with itself.",
            next: "wait a moment, then give the command again"),
        Explanation(
            "not-supported", .failed, "The beacon does not have what was asked of it.",
            next: "see what it can with `beacon-dfu info --device ADDRESS`"),
        Explanation(
            "refused-by-device", .failed,
            "The beacon has refused what it was asked for; the cause is its own number, as its maker documents it.",
            next: "see what it can with `beacon-dfu info --device ADDRESS`"),
        Explanation(
            "answer-malformed", .failed,
            "What the beacon sent does not belong to the protocol, or was cut off. Nothing was made of it.",
            next: "give the command again; where it stays, report it with --log-level debug"),
        Explanation(
            "answer-too-long", .failed, "The beacon's answer is longer than any that its protocol has.",
            next: "give the command again; where it stays, report it with --log-level debug"),
        Explanation(
            "settings-invalid", .badFile, "The file of settings is not what it should be.",
            next: "correct the place that the message names; docs/formats/settings.md has the format"),
        Explanation(
            "settings-changed", .done,
            "A setting of the beacon is not as it was before the update.",
            next: "bring it back with `beacon-dfu config write FILE --device ADDRESS`"),
        Explanation(
            "settings-unread", .done,
            "The settings of the beacon could not be read, before the update or after it, so nothing shows whether it was kept.",
            next: "look at it with `beacon-dfu config read --device ADDRESS`"),
        Explanation(
            "setting-unchecked", .done,
            "The beacon has a setting whose key this program does not know, or whose value its maker does not name. It stands in the "
                + "file as the beacon told it, under `unchecked`, is compared as it is, and written only where a beacon has another.",
            next: "leave it as it is, or delete it from the file"),
        Explanation(
            "settings-written", .done,
            "The unit was brought to its settings after its update, and shows them.",
            next: "no action is needed"),
        Explanation(
            "settings-not-meant", .done,
            "None of the tray's files of settings is for beacons of this unit's maker and generation; it is left as it is.",
            next: "add a file for it under `config`, or take no notice"),
        Explanation(
            "settings-differ", .failed, "The beacon has other settings than the file.",
            next: "bring it to them with `beacon-dfu config write FILE --device ADDRESS`"),
        Explanation(
            "settings-for-others", .failed,
            "The file has the settings of another kind of beacon, whose keys mean something else. Nothing was written.",
            next: "make a file from a beacon of this kind with `beacon-dfu config read --device ADDRESS`"),
        Explanation(
            "setting-out-of-range", .failed,
            "The file sets what the beacon cannot do, or what its maker does not name. What a beacon has already may be anything. "
                + "Nothing was written.",
            next: "change the value to what the message allows"),
        Explanation(
            "locks-beacon-away", .failed,
            "With these settings nobody could connect to the beacon, or hear it, any more. Nothing was written.",
            next: "leave that out of the file, or insist with --force and the name in the message"),
        Explanation(
            "settings-not-taken", .failed,
            "The beacon has accepted the settings, and says others when it is asked again. Those that the message does not name "
                + "are as they should be.",
            next: "see what the beacon can with `beacon-dfu info --device ADDRESS`, and change the file"),
        Explanation(
            "reset-unconfirmed", .usage,
            "A reset is for good, so the address has to be given a second time. Nothing was done.",
            next: "give --confirm with the beacon's address"),
        Explanation(
            "restore-untried", .done,
            "The command that brings a Feasycom beacon back to the settings of its factory stands in a guide of the maker's for a module. "
                + "Nobody has tried it on a beacon, and what those settings are, its PIN among them, is not public.",
            next: "look at the beacon with `beacon-dfu config read --device ADDRESS`"),
        Explanation(
            "new-password-missing", .usage,
            "There is no new password to give to the beacon. It comes from a file, a descriptor or a terminal, and never from the "
                + "command line, where others would see it. Nothing was done.",
            next: "give --new-secrets or --new-descriptor, or run the command on a terminal without --json"),
        Explanation(
            "new-password-unusable", .usage,
            "The new password cannot be a KBeacon's: it has 8 to 16 bytes, characters of ASCII without spaces, quotes and backslashes, "
                + "which some beacons drop. Nothing was done.",
            next: "choose another one"),
        Explanation(
            "password-not-changed", .failed,
            "The beacon has its old password still, as a session has shown. The file of --record has both.",
            next: "delete that file, and give the command again"),
        Explanation(
            "password-unproven", .tryAgain,
            "The beacon was told its new password, and could not be reached afterwards: it has the old one or the new one, which are "
                + "both in the file of --record.",
            next: "open a session with either, as the message says"),
        Explanation(
            "password-lost", .failed,
            "The beacon proves to know neither the old password nor the new one, which are both in the file of --record. Nobody can open a "
                + "session with it but by the one that it has.",
            next:
                "take the battery out for a moment and try both again; after that only its maker may know a way"
        ),
        Explanation(
            "history-short", .done,
            "The beacon has said that its records end before there were as many as it had said before. It may have written over "
                + "the oldest of them meanwhile. What it has sent is in the file.",
            next: "read them once more, and compare"),
        Explanation(
            "secrets-exposed", .badFile,
            "Others may read the file of passwords: its mode gives rights to the group or to everybody, or the file is another user's, which "
                + "root could read all the same. Root and, under sudo, the user who called it may own it.",
            next: "let only its owner read it: `chmod 600` and the file that the message names"),
        Explanation(
            "capture-has-proof", .done,
            "The recording of --capture has a handshake in it, by which a password can be guessed: whoever has the file can try "
                + "as many as a computer can, without the beacon.",
            next: "keep the recording as you keep the passwords, or give the beacon a long one"),
        Explanation(
            "capture-has-pin", .done,
            "The recording of --capture has the PIN of a Feasycom beacon in it, as plain text: so it is sent.",
            next: "keep the recording as you keep the PIN, or give the beacon another one"),
        Explanation(
            "secrets-empty", .done, "The file of passwords has no entries, so that the factory's are tried.",
            next: "add entries, as docs/formats/secrets.md shows"),
        Explanation(
            "secrets-invalid", .badFile,
            "The file of passwords is not what it should be. What stands there is never shown, only where.",
            next: "correct the place that the message names; docs/formats/secrets.md has the format"),
    ]
}
