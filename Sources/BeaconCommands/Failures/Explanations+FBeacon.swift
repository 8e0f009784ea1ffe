extension Explanation {
    /// What goes wrong when an FBeacon open container is sent.
    static let fbeacon = [
        Explanation(
            "not-an-open-fbeacon", .failed,
            "The beacon does not say that it takes open containers. One that was told to enter an upgrade might restore its default "
                + "settings, because public sources disagree what the word for it means, and the maker's own beacons take the "
                + "maker's encrypted files only. So nothing was written to it.",
            next:
                "update a beacon of the maker's with the maker's program; a device of your own has to show the mark that "
                + "docs/protocols/fbeacon.md describes"),
        Explanation(
            "restore-digit-unknown", .failed,
            "The container asks to restore the beacon's default settings after the update, and the beacon does not say with which "
                + "of the two digits. Nothing was written to it.",
            next: "name the digit with --restore-digit 0 or 1, if its maker has told you which it is"),
        Explanation(
            "packet-refused", .tryAgain, "The beacon refuses a packet of the transfer again and again.",
            next: "bring the beacon closer, then run the same command again; it begins at the first byte"),
        Explanation(
            "transfer-cancelled", .tryAgain,
            "The beacon has ended the transfer before its end, each time that it was begun. It does not say why.",
            next: "switch the beacon off and on, then run the same command again"),
    ]
}
