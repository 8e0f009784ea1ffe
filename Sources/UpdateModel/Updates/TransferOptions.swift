/// A user's choices for updates of all vendors' devices: how the bootloader is found, how links are made, and what is
/// sent over them. Nil leaves a choice to the program.
package struct TransferOptions: VendorOptions, Hashable {
    /// The unit's bootloader; nil to look for it by a predicted address, or by a name that the application gives it.
    package var bootloader: BootloaderSelector?
    /// How long to look for the bootloader after the entry.
    package var bootloaderTimeout: Duration?
    /// The largest packet in bytes, without the 3 bytes of the ATT header.
    package var packetSize: Int?
    /// Whether to begin at the first byte, even if the bootloader has kept a part of an earlier update.
    package var beginsAfresh = false
    /// How long one attempt to connect may take.
    package var connectTimeout: Duration?
    /// The connection interval to ask for.
    package var interval: Duration?

    package init() {}

    package static let title = "Link"
    package static let options: [VendorOption] = [
        .bootloader, .bootloaderTimeout, .packetSize, .noResume, .connectTimeout, .interval,
    ]

    /// The options with an effect on every update; the others have one only on updates in a bootloader.
    package static let general: Set<VendorOption> = [.packetSize, .connectTimeout, .interval]

    package mutating func adopt(_ values: OptionValues, from file: [UInt8]?) {
        func duration(_ option: VendorOption, in unit: Duration) -> Duration? {
            values[option].flatMap(Double.init).map { unit * $0 }
        }
        bootloader = values[.bootloader].flatMap(BootloaderSelector.init)
        bootloaderTimeout = duration(.bootloaderTimeout, in: .seconds(1))
        packetSize = values.number(.packetSize)
        beginsAfresh = values.isSet(.noResume)
        connectTimeout = duration(.connectTimeout, in: .seconds(1))
        interval = duration(.interval, in: .milliseconds(1))
    }
}

extension VendorOption {
    package static let bootloader: VendorOption = VendorOption(
        "bootloader", .text, "selector",
        help:
            "Where the bootloader is, if the program cannot predict it: its address, if necessary with /public or /random, or name:PATTERN. No other one is taken. Bootloaders with the same name that appear at the same time cannot be told apart.",
        in: [.catalogue, .tray]
    ) { text in
        BootloaderSelector(text) != nil
            ? nil
            : "'\(text)' is not a bootloader: \(.bootloader) is an address such as F0:0D:BE:AC:01:01, or name: and a pattern"
    }
    package static let bootloaderTimeout = seconds(
        "bootloader-timeout",
        "How long to look for the bootloader after the entry. Default: 30. A unit whose bootloader does not come fails that much later.",
        upTo: 3600)
    package static let packetSize: VendorOption = VendorOption(
        "packet-size", .text, "bytes",
        help:
            "The largest packet, 20 to 512 bytes: the MTU is 3 bytes more at most. Smaller packets are slower. Default: what the link allows; 20 where only newer bootloaders take more: an older one loses longer packets, and its application is gone by then.",
        in: [.catalogue, .tray]
    ) { (20...512).contains(Int($0) ?? 0) ? nil : "\(.packetSize) is a number of bytes from 20 to 512" }
    package static let noResume = VendorOption(
        "no-resume", title: "update without resuming", .flag,
        help:
            "Begin at the first byte, and do not use what a Secure bootloader has kept of an earlier update, which is sent again. A link that is lost later is still continued.",
        in: [.catalogue, .tray])
    package static let connectTimeout = seconds(
        "connect-timeout",
        "How long one attempt to connect may take. Default: 10, and up to 22 for a beacon that was heard to advertise rarely. Attempts at a beacon that is gone take as long.",
        upTo: 600)
    package static let interval: VendorOption = VendorOption(
        "interval", title: "connection interval", .text, "ms",
        help:
            "The connection interval to ask for, 7.5 to 4000 ms; the beacon may set another. Default: 15, on a tray by the number of links. A longer one is slower in proportion, and above 500 answers may come too late.",
        in: [.catalogue, .tray]
    ) { (7.5...4000).contains(Double($0) ?? 0) ? nil : "\(.interval) is a number of ms from 7.5 to 4000" }

    /// An option for a time from 1 to `limit` seconds.
    private static func seconds(_ name: String, _ help: String, upTo limit: Double) -> VendorOption {
        let named = VendorOption(name, .text, help: help)
        return VendorOption(name, .text, "seconds", help: help, in: [.catalogue, .tray]) { text in
            (1...limit).contains(Double(text) ?? 0)
                ? nil : "\(named) is a number of seconds from 1 to \(Int(limit))"
        }
    }
}

/// A user's choices for an update.
public struct UpdateOptions: Sendable {
    /// The version text that the new application has to report; nil to use the file's version.
    public var versionText: String?
    public var risks: Set<Risk>
    private var own: [ObjectIdentifier: any VendorOptions] = [:]

    public init(versionText: String? = nil, risks: Set<Risk> = []) {
        (self.versionText, self.risks) = (versionText, risks)
    }

    public subscript<Options: VendorOptions>(type: Options.Type) -> Options {
        get { own[ObjectIdentifier(type)] as? Options ?? Options() }
        set { own[ObjectIdentifier(type)] = newValue }
    }
}

/// A check that the user may override, by its name in `--force`.
public enum Risk: String, CaseIterable, Sendable {
    /// The requested bank may be that of the running image.
    case runningBank = "running-bank"
    /// The device already reports this version.
    case sameVersion = "same-version"
    /// The application reports a higher version.
    case lowerVersion = "lower-version"
    /// The device names a chip of another family; that text may be wrong.
    case wrongFamily = "wrong-family"
    /// The application's version is unchanged, and the start of the new image was not acknowledged: nothing shows
    /// which one runs.
    case unchangedVersion = "unchanged-version"
    /// The catalogue is older than another one seen: it may contain releases withdrawn since.
    case olderCatalogue = "older-catalogue"
}
