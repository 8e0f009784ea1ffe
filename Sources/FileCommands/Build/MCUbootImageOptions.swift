import ArgumentParser
import Bytes
import CommandKit
import MCUboot

/// The digest of an image, by imgtool's names: the bits of SHA-2.
enum DigestName: String, ExpressibleByArgument, CaseIterable {
    case sha256 = "256"
    case sha384 = "384"
    case sha512 = "512"

    var method: SHA2 {
        switch self {
        case .sha256: .sha256
        case .sha384: .sha384
        case .sha512: .sha512
        }
    }
}

/// How an image identifies its key, by imgtool's names: by the key's hash, or with the full public key.
enum KeyFormat: String, ExpressibleByArgument, CaseIterable { case hash, full }

/// A security counter: a given number, or the one that `auto` derives from the version.
enum CounterChoice: ExplainedArgument {
    case automatic
    case number(UInt32)

    init?(argument: String) {
        if argument == "auto" {
            self = .automatic
        } else if let number = WholeNumber<UInt32>(argument: argument) {
            self = .number(number.value)
        } else {
            return nil
        }
    }

    static func flaw(in text: String) -> String { "a security counter is a number up to 4294967295, or auto" }

    func value(for version: ImageVersion) -> UInt32 {
        switch self {
        case .automatic: version.securityCounter
        case .number(let number): number
        }
    }
}

/// Another image that has to be installed, with its lowest version: `1=2.0.1`.
struct DependencyChoice: ExplainedArgument {
    let dependency: MCUbootRecipe.Dependency

    init?(argument: String) {
        let sides = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2, let image = WholeNumber<UInt8>(argument: String(sides[0])),
            let version = ImageVersion(String(sides[1]))
        else { return nil }
        dependency = .init(image: image.value, version: version)
    }

    static func flaw(in text: String) -> String {
        "a dependency is the number of an image and its lowest version, such as 1=2.0.1; '\(text)' is not"
    }
}

/// A TLV of the maker, as its type and its value in hexadecimal: `0xa0=deadbeef`.
struct VendorTLVChoice: ExplainedArgument {
    let tlv: MCUbootRecipe.VendorTLV

    init?(argument: String) {
        let sides = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2, let type = WholeNumber<UInt16>(argument: String(sides[0])),
            MCUbootRecipe.vendorTypes.contains(type.value), let value = try? HexText.decode(String(sides[1]))
        else { return nil }
        tlv = .init(type: type.value, value: value)
    }

    static func flaw(in text: String) -> String {
        "a TLV is a type from 0xa0 to 0xfffe and its value in hexadecimal, such as 0xa0=c0ffee; '\(text)' is not"
    }
}

/// The options for the header and the TLVs of an image, with imgtool's names.
struct MCUbootImageOptions: ParsableArguments {
    @Option("The version, such as 1.2.3 or 1.2.3+4.", valueName: "version") var version: String
    @Option("Bytes of the header. Default: 0x200, as Zephyr's builds leave free.", valueName: "bytes")
    var headerSize: WholeNumber<UInt16>?
    @Flag(help: "Add the header before the program, which leaves no room for it.") var padHeader = false
    @Option(
        "The number that a bootloader with protection against downgrades compares; auto derives it from the "
            + "version.", valueName: "number")
    var securityCounter: CounterChoice?
    @Option(
        "Another image that has to be installed, with its lowest version, such as 1=2.0.1.",
        valueName: "image=version")
    var dependency: [DependencyChoice] = []
    @Option("The address in RAM to which the bootloader copies the program.", valueName: "address")
    var loadAddress: WholeNumber<UInt32>?
    @Option("The address of the only slot that the program runs from.", valueName: "address")
    var romFixed: WholeNumber<UInt32>?
    @Option(
        "Add a boot record with this type of software, such as CoFM: 1 to 12 characters.", valueName: "type")
    var bootRecord: String?
    @Option("Add a TLV of your own, such as 0xa0=c0ffee; the signature covers it.", valueName: "type=hex")
    var customTlv: [VendorTLVChoice] = []

    func validate() throws {
        try require(
            ImageVersion(version) != nil,
            "--version is up to three numbers and a build number, such as 1.2.3+4; '\(version)' is not")
        if let headerSize {
            try require(
                MCUbootRecipe.headerSizes.contains(Int(headerSize.value)),
                "--header-size is at least \(MCUbootRecipe.headerSizes.lowerBound)")
        }
        try require(loadAddress == nil || romFixed == nil, "give --load-address or --rom-fixed, not both")
        try require(
            loadAddress?.value != 0 && romFixed?.value != 0,
            "--load-address and --rom-fixed cannot be 0, which headers have for none")
    }

    func recipe(_ program: [UInt8]) throws(ValidationError) -> MCUbootRecipe {
        guard let version = ImageVersion(version) else { throw ValidationError("--version cannot be used") }
        let size = headerSize.map { Int($0.value) } ?? 0x200
        var recipe = MCUbootRecipe(
            program, version: version, header: padHeader ? .added(bytes: size) : .included(bytes: size))
        recipe.securityCounter = securityCounter?.value(for: version)
        recipe.dependencies = dependency.map(\.dependency)
        recipe.vendorTLVs = customTlv.map(\.tlv)
        recipe.bootRecord = bootRecord
        if let loadAddress { recipe.address = .ram(loadAddress.value) }
        if let romFixed { recipe.address = .fixed(romFixed.value) }
        return recipe
    }
}

/// The options for the slot of an image and for filling it, with imgtool's names.
struct MCUbootSlotOptions: ParsableArguments {
    @Option(
        "Bytes of the slot. The image and the bootloader's records have to fit.", valueName: "bytes")
    var slotSize: WholeNumber<UInt32>?
    @Option("Bytes that the flash writes at once: 1, 2, 4, 8, 16 or 32. Default: 1.", valueName: "bytes")
    var align: WholeNumber<UInt8>?
    @Option("The larger --align of both slots, if they differ. Default: 8, or --align.", valueName: "bytes")
    var maxAlign: WholeNumber<UInt8>?
    @Option("Sectors of the slot. Default: 128.", valueName: "number") var maxSectors: WholeNumber<UInt16>?
    @Flag(help: "The bootloader copies images over each other and keeps no records of a swap.")
    var overwriteOnly = false
    @Flag(help: "Fill the slot, for programmers: the bootloader installs the image once.") var pad = false
    @Flag(help: "Fill the slot, for programmers: the bootloader installs the image to stay.") var confirm =
        false
    @Option("What erased flash reads as: 0xff or 0. Default: 0xff.", valueName: "byte")
    var erasedVal: WholeNumber<UInt8>?

    func validate() throws {
        try require(!pad || !confirm, "--confirm fills the slot too: give it without --pad")
        for (isGiven, option) in [
            (pad, "--pad"), (confirm, "--confirm"), (align != nil, "--align"),
            (maxAlign != nil, "--max-align"),
            (maxSectors != nil, "--max-sectors"), (overwriteOnly, "--overwrite-only"),
        ] where isGiven {
            try require(slotSize != nil, "\(option) needs --slot-size")
        }
        let alignments = ImageSlot.alignments
        if let align {
            try require(
                alignments.contains(Int(align.value)),
                "--align is one of \(alignments.map(String.init).joined(separator: ", "))")
        }
        if let maxAlign {
            let allowed = alignments.filter { $0 >= max(8, Int(align?.value ?? 1)) }
            try require(
                allowed.contains(Int(maxAlign.value)),
                "--max-align is one of \(allowed.map(String.init).joined(separator: ", "))"
                    + (align.map { " with --align \($0.value)" } ?? ""))
        }
        try require([nil, 0, 0xFF].contains(erasedVal?.value), "--erased-val is 0xff or 0")
    }

    var erased: UInt8 { erasedVal?.value ?? 0xFF }

    /// The slot; nil if --slot-size is not given.
    var slot: ImageSlot? {
        guard let slotSize else { return nil }
        var slot = ImageSlot(bytes: Int(slotSize.value))
        slot.filling = confirm ? .confirmed : pad ? .trailer : .none
        slot.alignment = align.map { Int($0.value) } ?? slot.alignment
        slot.maximumAlignment = maxAlign.map { Int($0.value) }
        slot.sectors = maxSectors?.value ?? slot.sectors
        slot.isOverwritten = overwriteOnly
        return slot
    }
}
