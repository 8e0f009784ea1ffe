public import Bytes

/// Failures of files of every kind, and of archives.
public struct FileCodes: FailureCodeGroup {
    public static let topic = FailureTopic.files

    package static let again: Advice = "get the file again from where it was made, and compare its SHA-256"
    private static let rebuild: Advice = "build the package again, for example with \(task: .build(nil))"
    package static let remake: Advice = "build the file again with the tool that made it"
    private static let suspicious: Advice =
        "do not use this file; build the package again, and find out who changed it"

    public let fileEmpty = FailureCode(
        "file-empty", .badFile, "The file is empty.", next: Self.again, rule: .integrity, .error,
        prevents: "An empty file installs nothing, and stops the run that it is part of.")
    public let notAnArchive = FailureCode(
        "not-an-archive", .badFile, "The file is not a ZIP file, as firmware packages are.", next: Self.again)
    public let archiveTruncated = FailureCode(
        "archive-truncated", .badFile, "The file ends before the archive does.", next: Self.again,
        rule: .integrity, .error,
        prevents: "An incomplete download is noticed only when the beacon is in its bootloader.")
    public let archiveDamaged = FailureCode(
        "archive-damaged", .badFile, "The archive contradicts itself.", next: Self.again,
        rule: .integrity, .error, prevents: "Two tools read two different packages from one file.")
    public let archiveStrayBytes = FailureCode(
        "archive-stray-bytes", .badFile,
        "The archive has bytes before, between, inside or after its entries that its directory does not "
            + "name. Readers that go from entry to entry, as phone apps do, would read them as content.",
        next: Self.suspicious, rule: .integrity, .error,
        prevents: "A phone app may find another package in bytes that the directory does not list.")
    public let archiveSplit = FailureCode(
        "archive-split", .badFile, "The archive claims that it, or an entry, is on several disks.",
        next: Self.again, rule: .integrity, .error,
        prevents: "One tool looks for the missing disk, another reads what is there.")
    public let entryHeaderMismatch = FailureCode(
        "entry-header-mismatch", .badFile,
        "The header of an entry contradicts the archive's directory. Some readers use the header and some "
            + "the directory, so they would get two different packages.",
        next: Self.suspicious, rule: .integrity, .error,
        prevents: "A phone app uses the entry's own header, and installs another image.")
    public let entryOverlap = FailureCode(
        "entry-overlap", .badFile,
        "Two entries of the archive share bytes, or one reaches into the directory.", next: Self.suspicious,
        rule: .integrity, .error,
        prevents: "Two entries share bytes, so readers may extract different content.")
    public let entryTwoNames = FailureCode(
        "entry-two-names", .badFile,
        "An entry has one name in the directory and another in a field for names in Unicode, which other "
            + "readers use.",
        next: Self.suspicious, rule: .integrity, .error,
        prevents: "Another tool finds another file under the name in the manifest.")
    public let entryNotAFile = FailureCode(
        "entry-not-a-file", .badFile,
        "An entry of the archive is a link, a device or something else that is not a file.",
        next: Self.suspicious, rule: .integrity, .error,
        prevents: "Unpacked, the image is a link to some other file of that machine.")
    public let entryCRCMismatch = FailureCode(
        "entry-crc-mismatch", .badFile, "A file inside the archive does not match its checksum.",
        next: Self.again, rule: .integrity, .error,
        prevents: "A faulty copy on a memory stick installs a damaged image.")
    public let entryNameUnsafe = FailureCode(
        "entry-name-unsafe", .badFile, "A name in the archive leads outside of it. No packager writes that.",
        next: "do not use this file; find out where it comes from", rule: .hygiene, .error,
        prevents: "Unpacking the archive writes outside of its folder.")
    public let entryNameBackslash = FailureCode(
        "entry-name-backslash", .badFile,
        "A name in the archive has backslashes, as some programs on Windows write folders. Other readers "
            + "treat them as part of the name.",
        next: "unpack it on Windows, and zip the files themselves with another program",
        rule: .hygiene, .error,
        prevents: "Flashing tools do not find the manifest, because its name includes a folder.")
    public let entryDuplicate = FailureCode(
        "entry-duplicate", .badFile, "The archive has two files with the same name.", next: Self.rebuild,
        rule: .hygiene, .error, prevents: "One tool flashes the first file of this name, another the second.")
    public let entryEncrypted = FailureCode(
        "entry-encrypted", .badFile, "A file inside the archive is encrypted.",
        next: "build the package without a password", rule: .hygiene, .error,
        prevents: "Flashing tools cannot ask for a password.")
    public let entryMethodUnsupported = FailureCode(
        "entry-method-unsupported", .badFile,
        "A file inside the archive is compressed in a way that no DFU tool reads.",
        next: "zip it again with the methods stored or deflate", rule: .hygiene, .error,
        prevents: "Phones unpack stored and deflated entries only.")
    public let archiveTooLarge = FailureCode(
        "archive-too-large", .badFile,
        "The archive, or the content that it declares, is larger than firmware can be.",
        next: "check that this is a firmware package; limits are 16 MiB and 256 entries",
        rule: .hygiene, .error, prevents: "Phones refuse large archives, and a bomb fills the disk.")
    public let entryMissing = FailureCode(
        "entry-missing", .badFile, "The manifest names a file that is not in the archive.",
        next: Self.rebuild, rule: .integrity, .error,
        prevents: "A package without its image stops after the beacon has left its application.")
    public let unsupportedFile = FailureCode(
        "unsupported-file", .badFile, "The file is not a package that this version can install.",
        next: "\(task: .inspect) shows what it is", rule: .compatibility, .error,
        prevents: "A login page or a linker's output reaches the bench as firmware.")
    public let unsupportedKind = FailureCode(
        "unsupported-kind", .badFile,
        "The file is valid, but of a kind that this version reads and does not send yet.",
        next: "flash it with the vendor's tool; \(task: .inspect) shows what is in it")
    public let fileTruncated = FailureCode(
        "file-truncated", .badFile, "The file is shorter than its header announces.", next: Self.again,
        rule: .integrity, .error,
        prevents: "An incomplete download uploads without an error and does not boot.")
    public let trailingBytes = FailureCode(
        "trailing-bytes", .badFile, "The file is longer than its header announces; beacons refuse that.",
        next: "get the file again; an upload's XOR trailer is not part of the file and has to be removed",
        rule: .integrity, .error,
        prevents: "Receivers count the bytes: one too many ends the upload with status 0x06.")
    public let emptyPayload = FailureCode(
        "empty-payload", .badFile, "The header announces no payload: there is nothing to install.",
        next: Self.remake, rule: .integrity, .error,
        prevents: "Receivers answer with status 0x13 and install nothing.")
    public let fileNotFound = FailureCode(
        "file-not-found", .noFile, "The file cannot be opened; usually no file has this name.",
        next: "check the path", topic: .commandLine, rule: .integrity, .error,
        prevents: "A gate that skips files it cannot open lets everything through.")
    public let fileNotReadable = FailureCode(
        "file-not-readable", .noFile, "The file or folder exists, but this user may not read it.",
        next: "give this user read permission, or run the command as the owner", topic: .commandLine,
        rule: .integrity, .error,
        prevents: "A file that the gate has no permission to read is released unchecked.")
    public let fileIsDirectory = FailureCode(
        "file-is-directory", .noFile, "The path is that of a folder; a file is expected.",
        next: "name a file in it", topic: .commandLine, rule: .integrity, .error,
        prevents: "A folder instead of a file hides its content from the gate.")
    public let linkNotFollowed = FailureCode(
        "link-not-followed", .noFile,
        "A folder to be checked contains a link to another folder. The link could lead anywhere, so it was "
            + "not followed, and nothing there was checked.",
        next: "name the linked folder as well, or remove the link", topic: .commandLine,
        rule: .integrity, .error, prevents: "A linked folder is released without being checked.")
    public let notAnImage = FailureCode(
        "not-an-image", .badFile,
        "The firmware to be packed is neither Intel HEX nor a plain binary. A bootloader would install it, "
            + "but it would never start.",
        next: "give the .hex or .bin that the compiler's objcopy writes", topic: .commandLine)
    public let sizeMismatch = FailureCode(
        "size-mismatch", .badFile, "The image's length differs from the one in the init packet.",
        next: Self.rebuild, rule: .integrity, .error,
        prevents: "The beacon waits for bytes that never come, or refuses those that do.")
    public let headerCRCMismatch = FailureCode(
        "header-crc-mismatch", .badFile, "The header does not match its own checksum: it is damaged.",
        next: Self.again, rule: .integrity, .error,
        prevents: "A damaged header names another model or another length.")
    public let unsupportedContainerVersion = FailureCode(
        "unsupported-container-version", .badFile,
        "The open container is of a version that this program does not know.",
        next: "use a newer version of this program, or build a container of version 1",
        rule: .compatibility, .error,
        prevents: "A container of a later version has fields that receivers misread.")
    public let hexInvalid = FailureCode(
        "hex-invalid", .badFile, "The Intel HEX text is damaged, or contains nothing to pack.",
        next: "write it again with objcopy -O ihex, and look at the line that the message names",
        topic: .commandLine, rule: .integrity, .error,
        prevents: "Phone apps turn damaged Intel HEX into an image that does not match its init packet.")
    package let buildRefused = FailureCode(
        "build-refused", .badFile,
        "The options contradict the firmware or each other: beacons would refuse it.",
        next: "change the options that the message, or the findings above it, are about", topic: .commandLine)
}

extension ArchiveError {
    public var code: FailureCode {
        switch reason {
        case .empty: .file.fileEmpty
        case .notAnArchive: .file.notAnArchive
        case .endMissing: .file.archiveTruncated
        case .fileTooLarge, .tooManyEntries, .entryTooLarge, .contentsTooLarge: .file.archiveTooLarge
        case .strayBytes: .file.archiveStrayBytes
        case .severalDisks: .file.archiveSplit
        case .headerDiffers: .file.entryHeaderMismatch
        case .overlaps: .file.entryOverlap
        case .secondName: .file.entryTwoNames
        case .notAFile: .file.entryNotAFile
        case .unsafeName: .file.entryNameUnsafe
        case .backslashName: .file.entryNameBackslash
        case .duplicateName: .file.entryDuplicate
        case .encrypted: .file.entryEncrypted
        case .unsupportedMethod: .file.entryMethodUnsupported
        case .missing: .file.entryMissing
        case .checksumWrong: .file.entryCRCMismatch
        case .directoryDamaged, .shorterThanDeclared, .longerThanDeclared, .unreadable: .file.archiveDamaged
        case .unwritable: .system.internalError
        }
    }
}
