package import UpdateModel

/// The failures of updates over SMP: refusals by servers, and images that bootloaders do not start.
package struct SMPCodes: FailureCodeGroup {
    package static let topic = FailureTopic("MCUboot over SMP")

    private static let nothing: Advice = "no action is needed if the update ends well"

    package let imageManagementMissing = FailureCode(
        "image-management-missing", .failed,
        "The beacon's program answers to SMP, but manages no images. Some applications leave that to a "
            + "firmware loader, a second program that has to be started first.",
        next: "ask the maker of the beacon how its firmware loader is started")
    package let modeUnsupported = FailureCode(
        "bootloader-mode-unsupported", .failed,
        "The beacon's bootloader installs no image that its running program receives: it has one slot only, "
            + "or a firmware loader, which has to be started first.",
        next: "ask the maker of the beacon how its firmware is updated")
    package let pendingImage = FailureCode(
        "pending-image", .tryAgain,
        "Another image waits in the beacon for the next restart, and takes the slot that the new one needs. "
            + "Restarts of the beacon have not changed that.",
        next: "switch the beacon off and on, wait a minute, then run the same command again; if it stays, "
            + "use the tool that has put the image there to confirm or erase it")
    package let unconfirmedImage = FailureCode(
        "unconfirmed-image", .tryAgain,
        "The beacon tries an image that nobody has confirmed, and keeps the slot of the previous one for the "
            + "way back. A restart undoes that, or has not changed it.",
        next: "switch the beacon off and on, wait a minute, then run the same command again; if it stays, "
            + "use the tool that has put the image there to confirm it")
    package let noFreeSlot = FailureCode(
        "no-free-slot", .tryAgain,
        "The beacon has no slot for a new image: the only other one is in use, although its list of images "
            + "does not show why.",
        next: "switch the beacon off and on, then run the same command again")
    package let wrongSlot = FailureCode(
        "wrong-slot", .failed,
        "The beacon runs images where they are stored, and the file has none that is linked for the free "
            + "slot of the beacon.",
        next: "use a package that has the image for both slots")
    package let imageWithoutSlots = FailureCode(
        "image-without-slots", .failed,
        "The package has an image for another core of the beacon, or for a second program, and the beacon's "
            + "firmware has no slots for it. It would put the image where the application is updated.",
        next: "use the package that was built for this beacon; \(task: .inspect) shows which images a "
            + "package has")
    package let dependencyUnmet = FailureCode(
        "image-dependency-unmet", .failed,
        "The image needs another image of the beacon in a version that the beacon does not have. Its "
            + "bootloader would install neither this image nor any other.",
        next: "install the other image first, or use a package that has both; \(task: .inspect) shows what "
            + "an image needs")
    package let dependencyOpen = FailureCode(
        "image-dependency-open", .done,
        "The image needs another image, and the beacon does not report whether it has that. A bootloader "
            + "for several images installs this one only if the other is there; one for a single image does "
            + "not look.",
        next: Self.nothing, topic: .outcomes)
    package let versionNeverStarts = FailureCode(
        "version-never-starts", .failed,
        "The beacon's bootloader always starts the image with the highest version, and the one that runs "
            + "has the same version as the new one, or a higher one.",
        next: "build the image with a higher version; if the bootloader decides otherwise, "
            + "\(.risk, "lower-version") leaves it to it")
    package let downgradePrevented = FailureCode(
        "downgrade-prevented", .failed,
        "The beacon has the image, but does not mark it for the next restart: its bootloader does not allow "
            + "an earlier version, or an earlier security counter.",
        next: "build the image with a higher version, and with the security counter of the one that runs")
    package let imageNotKept = FailureCode(
        "image-not-kept", .failed,
        "The beacon has taken every byte, but its list of images does not show the image: its flash is worn, "
            + "the image is larger than the slot, or another program has changed the slot meanwhile.",
        next: "run the same command again; if it fails again, try another beacon")
    package let refusedAtBoot = FailureCode(
        "refused-at-boot", .failed,
        "The beacon had the whole image and restarted, runs the previous image, and no longer has the new "
            + "one. Its bootloader throws an image away that is signed with another key or not at all, "
            + "encrypted for another beacon, damaged, too large for its slot, or of a lower version than it "
            + "allows; some do that too with one that restarted before it was confirmed.",
        next: "compare the signature that \(task: .inspect) shows with the key of this product's bootloader, "
            + "and the version with the one that runs; if both are right, run the same command again")
    package let imageReverted = FailureCode(
        "image-reverted", .failed,
        "The beacon had the whole image and restarted, but runs the previous image, and keeps the new one. "
            + "Either the new one ran and ended before it was confirmed, or the bootloader does not start "
            + "it: because of its version, or because it requires another image. It was tried twice.",
        next: "check that the image is for this board and depends on no other image; the same command again "
            + "sends nothing that the beacon has, and tries it again")
    package let notInstalled = FailureCode(
        "image-not-installed", .tryAgain,
        "The beacon has the new image marked for its next restart, was told to restart several times, "
            + "and still runs the previous image: it does not restart when it is told to, or its bootloader "
            + "misses another image that the new one needs.",
        next: "switch the beacon off and on, wait a minute, then run the same command again; if "
            + "\(task: .inspect) shows that the image needs another one, install that first")
    package let imageInTest = FailureCode(
        "image-in-test", .done,
        "The new image runs, but is not confirmed: the next restart of the beacon undoes the update, unless "
            + "the firmware confirms itself.",
        next: "to keep it, run the same command with \(.confirm, "after-check")", topic: .outcomes)
    package let confirmRefused = FailureCode(
        "confirm-refused", .failed,
        "The new image runs, but the beacon did not confirm it: the next restart undoes the update.",
        next: "run the same command again: it sends nothing if the image still runs, and confirms it")
    package let noWayBack = FailureCode(
        "no-way-back", .done,
        "The beacon's bootloader keeps no previous image, so an image cannot be installed for a test only.",
        next: Self.nothing, topic: .outcomes)
    package let imageUnreported = FailureCode(
        "image-unreported", .done,
        "The beacon does not report which image one of its cores runs, so the update is only verified for "
            + "the others.",
        next: "check that the beacon does what the new firmware does", topic: .outcomes)
    package let slotsRestarted = FailureCode(
        "restarted-for-slot", .done,
        "The beacon had another image for a test or for its next restart. It was restarted so that it "
            + "frees the slot.",
        next: Self.nothing, topic: .outcomes)
    package let storageNotErased = FailureCode(
        "storage-not-erased", .done,
        "The beacon cannot erase its settings, or did not answer the request. The update went on.",
        next: "reset the beacon's settings in another way if the new firmware needs that", topic: .outcomes)
    package let withoutResume = FailureCode(
        "without-resume", .done,
        "The packets of the link are too small for the checksum of the upload, so the beacon cannot "
            + "check it, and an interrupted upload starts again.",
        next: Self.nothing, topic: .outcomes)
    package let packetsTooSmall = FailureCode(
        "packets-too-small", .failed,
        "The packets of this link cannot hold a whole request, and the beacon does not join parts of one.",
        next: "use another \(.adapter), whose links have larger packets (MTU 110 or more)")
    package let uploadRestarted = FailureCode(
        "upload-restarted", .tryAgain,
        "The beacon keeps forgetting an upload that is under way: it restarts, or another program sends it "
            + "an image at the same time.",
        next: "end other connections to the beacon and give it fresh power, then run the same command again")
    package let requestsLost = FailureCode(
        "requests-lost", .tryAgain,
        "The beacon keeps losing requests of the upload, or counts its bytes in a way that leads nowhere.",
        next: "bring the beacon closer, then run the same command again with \(.uploadWindow, "1")")
    package let notMCUbootImage = FailureCode(
        "not-mcuboot-image", .failed, "The beacon does not recognise the first bytes as an image.",
        next: "use an image made by imgtool for this product; \(task: .inspect) shows what the file is")
    package let flashFailed = FailureCode(
        "slot-flash-failed", .failed,
        "The beacon could not read, erase or write the flash of its slots. Old firmware reports "
            + "every refusal of an image with this number.",
        next: "run the same command again; if it fails again, the flash is worn, or too small for the image")
    package let accessDenied = FailureCode(
        "smp-access-denied", .failed,
        "The beacon's firmware does not allow this request: updates are switched off, or need another "
            + "permission.",
        next: "allow updates in the beacon's own settings or app, then run the same command again")
    package let requestRefused = FailureCode(
        "smp-refused", .failed, "The beacon refuses a request of the update with the number in the message.",
        next: "run again with \(.logLevel, "debug"), and ask the maker of the beacon what the number means")
}

extension FailureCode { package static let smp = SMPCodes() }
