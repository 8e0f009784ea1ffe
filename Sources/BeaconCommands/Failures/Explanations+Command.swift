extension Explanation {
    /// Before any file or radio is touched.
    static let commandLine = [
        Explanation(
            "no-adapter", .noAdapter,
            "There is no Bluetooth adapter that this program can use: none is there, it is off, or it went away.",
            next: "plug an adapter in or switch it on (--power-on); --adapter sim needs none"),
        Explanation(
            "permission-missing", .noPermission,
            "The kernel lets only privileged programs scan and set link parameters. Root is not needed, the "
                + "capability is enough.",
            next: "sudo setcap cap_net_admin,cap_net_raw+ep on the beacon-dfu program, or run it with sudo"),
        Explanation(
            "scenario-invalid", .badFile, "The file of simulated beacons cannot be used.",
            next: "correct the place that the message names; docs/scenarios.md lists every key"),
        Explanation(
            "state-invalid", .badFile,
            "A file in which simulated beacons remember what they hold was not written by them, or is damaged.",
            next: "remove the folder that the scenario's `state` names; the beacons start afresh"),
        Explanation(
            "state-unusable", .noFile,
            "The folder in which simulated beacons remember what they hold cannot be made, or a file in it cannot be "
                + "opened.",
            next:
                "correct `state` in the scenario, or make the folder that it lies in and give write permission"
        ),
        Explanation(
            "descriptors-exhausted", .tryAgain,
            "The system lets this program open no more files and sockets. It needs 24, and more with many "
                + "beacons.",
            next:
                "raise the limit with `ulimit -n 256`, or close other programs; then run the same command again"
        ),
        Explanation(
            "file-not-found", .noFile, "The file cannot be opened: as a rule there is none of this name.",
            next: "check the path"),
        Explanation(
            "file-not-readable", .noFile,
            "The file or folder is there, and its permissions keep this user out.",
            next: "give this user the right to read it, or run the command as its owner"),
        Explanation(
            "file-is-directory", .noFile, "A file is wanted and the path is that of a folder.",
            next: "name a file in it; only `validate` takes folders, and --catalogue wants one"),
        Explanation(
            "link-not-followed", .noFile,
            "In a folder that is to be checked is a link to a folder elsewhere. It could lead anywhere, so it is not "
                + "followed, and what is there was not checked.",
            next: "name the folder that it leads to as well, or take the link away"),
        Explanation(
            "rules-invalid", .badFile, "The file of rules cannot be used.",
            next:
                "correct the place that the message names; `beacon-dfu validate --list-rules` lists every rule"
        ),
        Explanation(
            "catalogue-invalid", .badFile, "The catalogue cannot be used.",
            next: "correct the place that the message names; docs/formats/catalogue.md lists every key"),
        Explanation(
            "target-invalid", .usage, "The target device cannot be understood.",
            next: "write it as key=value pairs with commas, such as hardware=52,version=10000,softdevice=0xB7"
        ),
        Explanation(
            "file-not-writable", .noFile, "The file cannot be written.",
            next: "check the folder, its permissions, and the room on the disk"),
        Explanation(
            "output-is-input", .usage,
            "The file to be written is one of those that the command reads: firmware, a key, a scenario. It would be lost.",
            next: "give another name for the file to be written; see the order of the arguments with --help"),
        Explanation(
            "file-exists", .noFile,
            "A file of this name is there already and is not of the kind that is written, so writing would lose something "
                + "else. A new key never takes the place of anything: if that is a key, devices may depend on it.",
            next: "choose another name, move the file away, or, if it may be lost, give --overwrite"),
        Explanation(
            "would-destroy-key", .usage,
            "The file to be written is there already and holds a key. Without the key no package could be signed again "
                + "for the devices that trust it, so it is kept, whatever the options say.",
            next: "choose another name, or move the key away"),
        Explanation(
            "key-file-exposed", .done,
            "The file with a secret key can be read by other users of this machine. Whoever has a signing key can sign "
                + "packages for every device that trusts it; whoever has an AES key can read firmware and encrypt it.",
            next:
                "chmod 600 the file; if others may have read it, the devices need a bootloader with a new key"
        ),
        Explanation(
            "private-key-shown", .done,
            "The private key was printed, as --key sk asks. It is now in the terminal's memory, and perhaps in a log.",
            next: "nothing has to be done where only its owner could see it"),
        Explanation(
            "not-an-image", .badFile,
            "What is to be packed is neither Intel HEX nor a plain binary. A bootloader would install it, and it "
                + "would never start.",
            next: "give the .hex or .bin that the compiler's objcopy writes"),
        Explanation(
            "hex-invalid", .badFile, "The Intel HEX text is damaged, or has nothing that can be packed.",
            next: "write it again with objcopy -O ihex, and look at the line that the message names"),
        Explanation(
            "build-refused", .badFile,
            "The options contradict the firmware or each other: devices would refuse it.",
            next: "the findings above name the fields; change the options that set them"),
        Explanation(
            "encryption-key-invalid", .usage,
            "The key or the initialisation vector for AES-128 is not 16 bytes in hexadecimal. Neither is ever printed.",
            next: "give 32 hexadecimal digits and nothing else: those that the bootloader was built with"),
        Explanation(
            "key-on-command-line", .done,
            "A key was given as an option. While the program runs, every user of the machine can see it; afterwards "
                + "it is in the shell's history.",
            next: "put the key into a file that only you can read, and give --key-file"),
        Explanation(
            "device-not-found", .deviceNotFound,
            "No beacon that was heard while scanning answers to the selector. A beacon in its bootloader has "
                + "another address than in its application: usually the last byte is higher by one.",
            next: "check the address with `beacon-dfu scan`, power, and distance; --scan-for listens longer"),
        Explanation(
            "device-ambiguous", .failed,
            "More than one beacon answers to the selector. Nothing is flashed by guess.",
            next: "select one of them by its address"),
        Explanation(
            "output-failed", .noFile,
            "The output could not be written. Whatever else the command has to do, it has done; the message says so.",
            next: "make room on the disk that takes the output, or write it elsewhere"),
        Explanation(
            "log-cut-short", .done,
            "The file of --log-file could not be written any further, as a rule because its disk is full. The command goes on.",
            next: "make room on the disk that takes the log, or write it elsewhere"),
        Explanation(
            "usage", .usage, "The command line is not one that the program understands.",
            next: "look at the options of the command with --help"),
        Explanation(
            "internal-error", .internalError, "Something happened that should not; this is a bug.",
            next: "report it with the output of the same command and --log-level debug"),
        Explanation(
            "interrupted", .interrupted,
            "The command was ended by Ctrl-C, SIGTERM or SIGHUP. A beacon whose update was interrupted runs its application, "
                + "or waits in its bootloader.",
            next:
                "run the same command again: Nordic's Secure DFU goes on where the beacon keeps what it has, Legacy DFU and "
                + "SUOTA begin at the first byte"),
    ]
}
