package import UpdateModel

/// Errors in a catalogue, and reasons for and against releases.
package struct CatalogueCodes: FailureCodeGroup {
    package static let topic = FailureTopic("Catalogues")

    package let overlap = FailureCode(
        "catalogue-overlap", .badFile,
        "Two entries of the catalogue overlap: two families match one beacon, or two releases have the "
            + "same version.",
        next: "make one of them narrower (recognised_by, hardware_versions, models), or remove one")
    package let pathCycle = FailureCode(
        "catalogue-path-cycle", .badFile,
        "The steps to a release form a circle: it would have to be installed before itself.",
        next: "correct 'through' of the releases that the message names")
    package let unreachable = FailureCode(
        "catalogue-unreachable", .badFile,
        "By the rules of the catalogue no beacon can get this release, or no beacon that has an earlier "
            + "one.",
        next: "correct 'through' and 'minimum_installed', or add the release in between")
    package let withdrawnUsed = FailureCode(
        "catalogue-withdrawn-used", .badFile, "The path to a release goes through a withdrawn release.",
        next: "name another release in 'through'")
    package let wordUnknown = FailureCode(
        "catalogue-word-unknown", .badFile,
        "A family is recognised by a maker or a kind that this program does not know, so no beacon matches "
            + "it.",
        next: "spell it as \(task: .scan) does")
    package let settingInvalid = FailureCode(
        "catalogue-setting-invalid", .badFile,
        "A setting under 'flash' is not one that an update takes.",
        next: "write it as \(task: .flash) takes the option of the same name")
    package let versionsApart = FailureCode(
        "catalogue-versions-apart", .badFile,
        "A release has another version than its package, and the catalogue does not say that beacons show "
            + "the release's version. An update expects beacons to show the package's number, and the "
            + "catalogue would compare that number with the release's version.",
        next:
            "state with 'version_from' where beacons show the version, or name releases by the packages' "
            + "numbers with 'versions: number'")
    package let catalogueVersionUnread = FailureCode(
        "catalogue-version-unread", .badFile,
        "'version_from' names a source in which no beacon of the family shows its version, so no release "
            + "could be chosen for them.",
        next:
            "name the source that they use, or leave 'version_from' out: \(task: .info) shows what a "
            + "beacon reports")
    package let fileMissing = FailureCode(
        "catalogue-file-missing", .badFile, "A package that the catalogue names does not exist.",
        next:
            "put it at the path in 'file', relative to the folder of the catalogue's file, or correct "
            + "'file'")
    package let hashMismatch = FailureCode(
        "catalogue-hash-mismatch", .badFile,
        "The package does not have the SHA-256 of its entry: it was replaced, or it is damaged.",
        next: "get the right file again; enter a new SHA-256 only for a package that you have checked")
    package let unsigned = FailureCode(
        "catalogue-unsigned", .badFile, "A signed catalogue is required, and this one has no signature.",
        next:
            "get the catalogue with its catalogue.seal from its owner, who creates the seal with "
            + "\(task: .signCatalogue)")
    package let signatureInvalid = FailureCode(
        "catalogue-signature-invalid", .badFile,
        "The catalogue has changed since it was signed, or another key signed it: nothing in it can be "
            + "trusted.",
        next:
            "get the catalogue again from its owner, and check that the key is theirs; if you own it and "
            + "have changed it, sign it again with \(task: .signCatalogue)")
    package let expired = FailureCode(
        "catalogue-expired", .badFile,
        "The signature of the catalogue has expired: there may be a newer one.",
        next:
            "get the current catalogue from its owner, who signs it again with \(task: .signCatalogue)")
    package let rolledBack = FailureCode(
        "catalogue-rolled-back", .badFile,
        "The catalogue was signed earlier than another one of the same key that was seen here: it may "
            + "contain releases that were withdrawn since. Each signing has a number, and the journal "
            + "remembers the highest of each key.",
        next:
            "get the current catalogue; an update accepts the older one with \(.risk, "older-catalogue")")
    package let numberReused = FailureCode(
        "catalogue-number-reused", .badFile,
        "Another catalogue with the same number of the same key was seen here: its signer restarted the "
            + "count, or lost the last seal.",
        next:
            "have it signed again with a higher \(.sealNumber); an update accepts it with \(.risk, "older-catalogue")"
    )
    package let notRemembered = FailureCode(
        "catalogue-not-remembered", .done,
        "The journal could not be written, so an older catalogue of the same key will not be noticed later.",
        next: "fix the journal (see the code in the message), or name another with \(.journal)")
    package let firmwareWithdrawn = FailureCode(
        "firmware-withdrawn", .nothingToDo, "The release was withdrawn and must not be installed any more.",
        next: "use the release that was chosen instead")
    package let releaseNotNamed = FailureCode(
        "release-not-named", .nothingToDo, "The user has named another release of the catalogue.",
        next: "name this release to install it")
    package let releaseNotListed = FailureCode(
        "release-not-listed", .failed,
        "The beacon's family in the catalogue has no release of the version that was named.",
        next: "name one of the versions that the message lists", unit: .error)
    package let channelNotChosen = FailureCode(
        "channel-not-chosen", .nothingToDo, "The release is on a channel that has to be requested.",
        next: "request it with \(.testReleases)")
    package let modelExcluded = FailureCode(
        "model-excluded", .nothingToDo, "The release is for other models of this family.",
        next: "use a release for this model")
    package let hardwareExcluded = FailureCode(
        "hardware-excluded", .nothingToDo, "The release is for other hardware versions.",
        next: "use a release for this hardware")
    package let deviceExcluded = FailureCode(
        "device-excluded", .nothingToDo,
        "The release is limited to certain unit ids, and this beacon has none of them.",
        next: "use a release for this unit; its vendor knows which there are")
    package let versionBetweenNeeded = FailureCode(
        "version-between-needed", .nothingToDo, "Another release has to be installed before this one.",
        next: "install the release in between first; the catalogue chooses it")
    package let deviceUnknown = FailureCode(
        "device-unknown", .nothingToDo,
        "Whether the release fits depends on a property of the beacon that is not known.",
        next: "read the missing property with \(task: .info), or from the label, and give it",
        unit: .error)
    package let newerFits = FailureCode(
        "newer-fits", .nothingToDo, "The release fits, and a later one fits too.",
        next: "install the later one")
    package let installedWithdrawn = FailureCode(
        "installed-withdrawn", .nothingToDo,
        "The installed version was withdrawn after it had been installed.",
        next: "install the release that was chosen; if there is none, ask the vendor")
    package let versionOrderDisputed = FailureCode(
        "version-order-disputed", .nothingToDo,
        "Versions are compared as decimal numbers here; compared part by part, this one would not be the "
            + "later one.",
        next: "check with the vendor which is later; `versions: dotted` compares part by part")
    package let versionUnread = FailureCode(
        "version-unread", .nothingToDo,
        "A package in the folder has no version that can be ordered, and was left out.",
        next: "name the scheme with \(.versionScheme), or add the release to the catalogue yourself")
    package let listNotAscending = FailureCode(
        "list-not-ascending", .nothingToDo,
        "The vendor's list is not in ascending order. The vendor's apps look at the last release only, and "
            + "may report a beacon as up to date when it is not.",
        next: "tell the vendor; here the highest release counts, at any position")
    package let identityContradicted = FailureCode(
        "identity-contradicted", .nothingToDo,
        "The beacon advertises something other than it reports over a connection. Contradictory values are "
            + "not used to choose a release.",
        next:
            "find out which of the two is right, for example from the label; then flash the file by its "
            + "name")
    package let vendorOnly = FailureCode(
        "vendor-only", .failed,
        "Only the vendor of the beacon can update it. A beacon that advertises an update service, as "
            + "bootloaders do, is not refused.",
        next: "update it as the message describes", unit: .error)
    package let notListed = FailureCode(
        "not-listed", .failed, "No family of the catalogue matches this beacon.",
        next: "add its family to the catalogue: docs/catalogue.md", unit: .error)
    package let wrongModel = FailureCode(
        "wrong-model", .failed, "The catalogue has other models of this maker, but not this one.",
        next: "add the model to the catalogue, if there is firmware for it")
    package let noFirmware = FailureCode(
        "no-firmware", .failed,
        "No release of the family can be installed on this beacon. The reasons against each are listed.",
        next: "add the missing release, such as one that an early version may be updated to")
    package let familyAmbiguous = FailureCode(
        "family-ambiguous", .failed,
        "Several families of the catalogue match this beacon, and they take different firmware.",
        next: "make one of them narrower under 'recognised_by'", unit: .error)
    package let releaseUnknown = FailureCode(
        "release-unknown", .failed,
        "The beacon runs its bootloader, which does not report the application that it had, so a catalogue "
            + "cannot choose. If the journal has the unit with a release of the catalogue, the next step names it.",
        next:
            "switch it off and on: if its application comes back, the catalogue can choose; otherwise flash the "
            + "package for this unit by its name, which its label or your records show",
        unit: .error)
    package let upToDate = FailureCode(
        "up-to-date", .nothingToDo, "The catalogue has nothing newer for the beacon.",
        next: "no action is needed")
    package let packageNotThere = FailureCode(
        "package-not-there", .badFile,
        "A package in the vendor's list is not in the list's folder, so its kind and hash are unknown.",
        next: "put the packages into the folder of the list; nothing is downloaded")
}

extension FailureCode {
    package static let catalogue = CatalogueCodes()
}
