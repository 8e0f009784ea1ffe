package import UpdateModel

/// The user's choices for updates over SUOTA.
package struct SUOTAPreferences: Hashable, Sendable {
    /// The pins of the memory; by default those of the chip maker's boards. DA1468x and DA1469x ignore them.
    package var pins = PinMap.vendorSPI { didSet { namesPins = true } }
    private(set) var namesPins = false
    package var bank = ImageBank.oldest
    package var risks: Set<Risk> = []
    /// Bytes per block, and per chunk; nil uses what the device accepts.
    package var blockSize: Int?
    package var chunkSize: Int?
    /// How the image is sent; nil uses a channel if the device offers one.
    package var transport: SUOTATransport?
    /// Whether the device checks a signature at the end, and reports the result with a second status; stock firmware does
    /// not.
    package var awaitsSignature = false
    /// The largest payload in bytes that fits the device's bank; nil if unknown.
    package var bankLimit: Int?
    /// The version text that the new firmware has to report; nil uses the version in the image's header.
    package var versionText: String?
    /// Whether to report every chunk, which requires a separate step for each.
    package var reportsChunks = false

    package init() {}
}

package enum SUOTATransport: String, CaseIterable, Sendable {
    /// In writes to the service, block by block.
    case gatt
    /// Over a separate L2CAP channel, which DA1468x and DA1469x may offer.
    case l2cap
}

extension VendorOption {
    package static let pins = VendorOption(
        "pins", .text, "pins",
        help:
            "The pins of the memory, such as miso=P0_5,mosi=P0_6,cs=P0_3,sck=P0_0 or scl=P0_2,sda=P0_3,address=0x50.",
        in: [.catalogue, .tray])
    package static let profile = VendorOption(
        "profile", .text, "name", help: "The vendor profile with pins, bank and block size, by name.",
        in: [.catalogue, .tray])
    package static let profiles = VendorOption(
        "profiles", title: "file of profiles", .file, "file",
        help:
            "The profiles file. Default: the first suota.yaml of the search path in docs/guide/configuration.md."
    )
    package static let bank: VendorOption = VendorOption(
        "bank", .number(UInt8.self), "number",
        help: "The bank to overwrite, 1 or 2; 0 leaves the choice to the beacon. Default: 0.",
        in: [.catalogue]
    ) { UInt8($0).flatMap(ImageBank.init) == nil ? "\(.bank) is 0, 1 or 2" : nil }
    package static let blockSize = bytes("block-size", "Bytes in a block. Default: what the beacon accepts.")
    package static let chunkSize = bytes("chunk-size", "Bytes in a packet. Default: what the beacon accepts.")
    package static let transport: VendorOption = VendorOption(
        "transport", .text, "way", help: "gatt or l2cap. Default: l2cap if the beacon offers a channel.",
        in: [.catalogue]
    ) { SUOTATransport(rawValue: $0) == nil ? "\(.transport) is gatt or l2cap" : nil }
    package static let awaitSignature = VendorOption(
        "await-signature", title: "wait for the signature's verdict", .flag,
        help: "Wait up to 60 s for a second status: the beacon checks a signature once it has the image.",
        in: [.catalogue])
    package static let reportChunks = VendorOption(
        "report-chunks", .flag, help: "Report an event for each packet, in JSON.")

    private static func bytes(_ name: String, _ help: String) -> VendorOption {
        let named = VendorOption(name, .flag, help: help)
        return VendorOption(name, .number(Int.self), "bytes", help: help, in: [.catalogue]) { text in
            (1...0xFFFF).contains(Int(text) ?? 0) ? nil : "\(named) is a number of bytes from 1 to 65535"
        }
    }
}

extension SUOTAPreferences: VendorOptions {
    package static let title = "SUOTA"
    package static let options: [VendorOption] = [
        .pins, .profile, .profiles, .bank, .blockSize, .chunkSize, .transport, .awaitSignature, .reportChunks,
    ]

    /// The error in `values`: invalid pins, or a block or chunk size for a channel, which has no blocks.
    package static func flaw(in values: OptionValues) -> Advice? {
        if let pins = values[.pins] {
            do throws(PinMapError) { _ = try PinMap(pins) } catch { return "\(.pins): \("\(error)")" }
        }
        let isChannel = values[.transport] == SUOTATransport.l2cap.rawValue
        guard isChannel, values[.blockSize] != nil || values[.chunkSize] != nil else { return nil }
        return "\(.blockSize) and \(.chunkSize) are for \(.transport, "gatt"): a channel has no blocks"
    }

    /// Adds the model's options, except those that contradict a profile, size or transport set by the user.
    package static func completed(_ values: OptionValues, by model: OptionValues) -> OptionValues {
        var all = values
        var added = [VendorOption.awaitSignature]
        if values[.profile] == nil { added += [.profile, .pins, .bank] }
        if values[.blockSize] == nil, values[.chunkSize] == nil { added.append(.transport) }
        for option in added { all[option] = values[option] ?? model[option] }
        guard all[.transport] != SUOTATransport.l2cap.rawValue, values[.profile] == nil else { return all }
        for option in [VendorOption.blockSize, .chunkSize] { all[option] = values[option] ?? model[option] }
        return all
    }

    package static func file(for values: OptionValues) -> OptionFile? {
        values[.profile].map { _ in
            OptionFile(
                .profiles, path: values[.profiles], shared: "profiles/suota.yaml",
                remedy: "give the file with \(.profiles), or the pins with \(.pins)")
        }
    }

    /// Sets the preferences; options take precedence over the profile in `file`.
    package mutating func adopt(_ values: OptionValues, from file: [UInt8]?) throws(OptionFailure) {
        if let name = values[.profile], let file {
            let found = try SUOTAProfile.named(name, in: file)
            pins = found.pins
            bank = found.bank
            blockSize = found.blockSize
            awaitsSignature = found.checksSignature
            bankLimit = found.bankSize
        }
        if let text = values[.pins], let map = try? PinMap(text) { pins = map }
        if let bank = values.number(.bank).flatMap(ImageBank.init) { self.bank = bank }
        blockSize = values.number(.blockSize) ?? blockSize
        chunkSize = values.number(.chunkSize)
        transport = values[.transport].flatMap(SUOTATransport.init)
        awaitsSignature = values[.awaitSignature] != nil || awaitsSignature
        reportsChunks = values[.reportChunks] != nil
    }
}
