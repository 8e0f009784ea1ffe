extension Explanation {
    /// Failures of sending an FBeacon open container.
    package static let fbeacon = [
        Explanation(
            "not-an-open-fbeacon", .failed,
            "The beacon does not report that it takes open containers. A beacon that is told to enter an "
                + "upgrade might restore its default settings, because public sources disagree on the command's "
                + "meaning, and the maker's own beacons take only the maker's encrypted files. So nothing was written "
                + "to it.",
            next:
                "update the maker's own beacons with the maker's program; a beacon of your own has to show the "
                + "mark that docs/protocols/fbeacon.md describes"),
        Explanation(
            "restore-digit-unknown", .failed,
            "The container requests the beacon's default settings after the update, and the beacon does not "
                + "report which of the two digits means that. Nothing was written to it.",
            next: "give the digit with --restore-digit 0 or 1, if the maker has told you which it is"),
        Explanation(
            "packet-refused", .tryAgain,
            "The beacon keeps refusing a packet of the transfer.",
            next: "bring the beacon closer, then run the same command again; it starts at the first byte"),
        Explanation(
            "transfer-cancelled", .tryAgain,
            "The beacon ended the transfer early on every try. It does not report why.",
            next: "switch the beacon off and on, then run the same command again"),
    ]
}
