extension Explanation {
    /// What is wrong with a catalogue, and its reasons for and against releases.
    static let catalogue = [
        flaw(
            "catalogue-overlap",
            "Two entries of the catalogue may be meant: two families for one beacon, or two releases of one version.",
            next: "let one of them ask for more (recognised_by, hardware_versions, models), or remove one"),
        flaw(
            "catalogue-path-cycle",
            "A release has to be installed before itself: the steps lead in a circle.",
            next: "correct 'through' of the releases that the message names"),
        flaw(
            "catalogue-unreachable",
            "No beacon gets to this release by the rules of the catalogue, or those with an earlier release do not.",
            next: "correct 'through' and 'minimum_installed', or add the release in between"),
        flaw(
            "catalogue-withdrawn-used", "The way to a release goes through one that was withdrawn.",
            next: "name another release in 'through'"),
        flaw(
            "catalogue-word-unknown",
            "A family is recognised by a maker or a kind that no beacon is ever said to be of.",
            next: "write the word as `beacon-dfu scan` does"),
        flaw(
            "catalogue-setting-invalid",
            "A setting under 'flash' is none that `beacon-dfu flash` would take.",
            next: "write it as the option of that name takes it: `beacon-dfu flash --help`"),
        flaw(
            "catalogue-versions-apart",
            "A release is called otherwise than its package, and nothing says that beacons show the release's version. An update takes the "
                + "package's number for what they show, and the catalogue would compare that with the release.",
            next:
                "say with 'version_from' in what beacons show the version, or call releases by the packages' numbers with 'versions: number'"
        ),
        flaw(
            "catalogue-version-unread",
            "'version_from' names something in which none of the family's beacons shows its version, so that no release could be chosen "
                + "for them.",
            next:
                "name what they show it in, or leave 'version_from' out: `beacon-dfu info` shows what a beacon says"
        ),
        flaw(
            "catalogue-file-missing", "A package that the catalogue names is not there.",
            next: "put it where 'file' says, from the folder of the catalogue's file on, or correct 'file'"),
        flaw(
            "catalogue-hash-mismatch",
            "The package is not the one that was entered: its SHA-256 is another. It was replaced, or it is damaged.",
            next: "get the right file again; enter a new SHA-256 only for a package that you have checked"),
        flaw(
            "catalogue-unsigned", "A signed catalogue is required, and this one has no signature.",
            next:
                "get the catalogue with its catalogue.seal from its owner, who makes one with `beacon-dfu catalogue sign`"
        ),
        flaw(
            "catalogue-signature-invalid",
            "The catalogue is not what was signed, or somebody else has signed it: nothing in it can be trusted.",
            next:
                "get the catalogue again from its owner, and check that the key is theirs; if you own it and have changed it, sign it again with `beacon-dfu catalogue sign`"
        ),
        flaw(
            "catalogue-expired", "The signature of the catalogue has expired: there may be a newer one.",
            next:
                "get the present catalogue from its owner, who signs it again with `beacon-dfu catalogue sign`"
        ),
        flaw(
            "catalogue-rolled-back",
            "The catalogue was signed before another one of the same key that was seen here: releases that were withdrawn since may be in "
                + "it. Each signing has a number, and the journal remembers the highest of each key.",
            next:
                "get the present catalogue; `flash` and `batch` take the older one on purpose with --force older-catalogue"
        ),
        flaw(
            "catalogue-number-reused",
            "Another catalogue with the same number of the same key was seen here: its signer has begun to count again, or has lost the "
                + "last seal.",
            next:
                "have it signed again with a higher --counter; `flash` and `batch` take it on purpose with --force older-catalogue"
        ),
        Explanation(
            "catalogue-not-remembered", .done,
            "The journal could not be written, so an older catalogue of the same key will not be noticed later.",
            next: "see to the journal by the code in the message, or name another with --journal"),
        reason(
            "firmware-withdrawn", "The release was withdrawn: it is not to be installed any more.",
            next: "take the release that was chosen instead"),
        reason(
            "channel-not-chosen", "The release is for those who ask for it.", next: "ask for it with --beta"),
        reason(
            "model-excluded", "The release is for other models of this family.",
            next: "take a release for this model"),
        reason(
            "hardware-excluded", "The release is for other versions of the hardware.",
            next: "take a release for this hardware"),
        reason(
            "device-excluded", "The release is for certain units, by their ids, and this is none of them.",
            next: "take a release for this unit; its vendor says which there is"),
        reason(
            "version-between-needed", "The way to this release goes through another one.",
            next: "install the one in between first; the catalogue chooses it"),
        reason(
            "device-unknown",
            "Whether the release fits depends on something that is not known of the beacon.",
            next: "read what is missing with `beacon-dfu info`, or from its label, and give it"),
        reason(
            "newer-fits", "The release fits, and a later one fits too.", next: "install the later one"),
        reason(
            "installed-withdrawn", "The installed version was withdrawn after it had been installed.",
            next: "install the release that was chosen, or ask the vendor where there is none"),
        reason(
            "version-order-disputed",
            "Versions are ordered as decimal numbers here, and by its parts this one would not be the later one.",
            next: "check with the vendor which is later; `versions: dotted` compares part by part"),
        reason(
            "version-unread",
            "A package in the folder names no version that can be ordered, and was left out.",
            next: "name the scheme with --versions, or write the release into the catalogue yourself"),
        reason(
            "list-not-ascending",
            "The vendor's list is not in ascending order. Its applications look at the last release only, and may say "
                + "that a beacon is up to date when it is not.",
            next: "tell the vendor; here the highest release counts, wherever it stands"),
        reason(
            "identity-contradicted",
            "The beacon advertises something else than it says over a connection. What is contradicted is not used to "
                + "choose a release.",
            next: "find out which of the two is right, as from its label; then flash the file by its name"),
        Explanation(
            "vendor-only", .failed,
            "Only the vendor of the beacon can update it. A beacon that advertises an update service, as bootloaders do, is not refused.",
            next: "update it in the way that the message names"),
        Explanation(
            "not-listed", .failed, "No family of the catalogue is this beacon's.",
            next: "write its family into the catalogue: docs/catalogue.md"),
        Explanation(
            "wrong-model", .failed, "The catalogue has other models of this maker, and not this one.",
            next: "write the model into the catalogue, where there is firmware for it"),
        Explanation(
            "no-firmware", .failed,
            "The family has no release that this beacon could take. The reasons against each are listed.",
            next: "add the release that is missing, such as one that an early version may be updated to"),
        Explanation(
            "family-ambiguous", .failed,
            "Several families of the catalogue may be this beacon's, and they take different firmware.",
            next: "let one of them ask for more under 'recognised_by'"),
        Explanation(
            "release-unknown", .failed,
            "The bootloader of the beacon runs, and does not say which application it had. Nothing remembers which release "
                + "was being installed.",
            next:
                "flash the package that belongs to the unit by its name; its label or your records tell which"
        ),
        reason(
            "up-to-date", "The catalogue has nothing newer for the beacon than what it has.",
            next: "no action is needed"),
        flaw(
            "package-not-there",
            "A package in the vendor's list is not beside it, so its kind and hash are unknown.",
            next: "put the packages into the folder of the list; nothing is fetched"),
    ]

    private static func flaw(_ code: String, _ meaning: String, next: String) -> Explanation {
        Explanation(code, .badFile, meaning, next: next)
    }

    private static func reason(_ code: String, _ meaning: String, next: String) -> Explanation {
        Explanation(code, .nothingToDo, meaning, next: next)
    }
}
