package import ArgumentParser
package import CommandKit
import Firmware
import Tray
import UpdateModel

/// The options that select units without a tray file, and those that fill the slots of a tray file.
package struct UnitOptions: ParsableArguments {
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Update all beacons that match this condition, as with scan --filter; if repeated, all must match.",
            valueName: "condition"),
        transform: SightingFilter.reading)
    var rule: [SightingFilter] = []
    @Option(
        "The expected number of units: refuse to start with more, report missing ones.", valueName: "units")
    package var expected: Int?
    @Flag(help: "Also take releases of the beta channel.") package var beta = false
    @Option(
        "Install the catalogue's release with this version, as with flash; for --rule. A tray file names it in `catalogue`, as `release`.",
        valueName: "version")
    package var release: String?
    @OptionGroup package var source: CatalogueOptions
    @Option(
        "How long to scan for matching beacons. Default: 10; with --expected, until 2 after that many were heard.",
        name: .customLong("scan-for"), valueName: "seconds")
    private var scanFor: Double?

    @Option(
        "Write the settings in this file to units after the firmware update; may be repeated for other kinds of beacons. Replaces the tray's `config`.",
        valueName: "file", completion: .file(extensions: ["yaml", "yml"]))
    var config: [String] = []

    @Option(
        "Fill the tray's empty slots with the codes in this file, one a line; - reads a code scanner on stdin.",
        valueName: "file", completion: .file())
    var codes: String?
    @Option(
        "Accept codes that are otherwise refused, without asking: move (from another slot), replace (the beacon of a slot), unknown (not heard), again (already passed).",
        valueName: "decision")
    var allow: [ScanOverride] = []
    @Option(
        "Write a tray file with the beacons that match the conditions, and update none.", valueName: "file",
        completion: .file())
    var fromScan: String?

    /// The file of the key that must have signed the catalogue; nil if no signature is required.
    package var catalogueKey: String? {
        get { source.requireSignedCatalogue }
        set { source.requireSignedCatalogue = newValue }
    }

    /// Why these options cannot be used with a work order; nil if they can. `hasTrayFile`: whether --tray is given.
    package func flawUnderOrder(hasTrayFile: Bool) -> String? {
        if fromScan != nil { return "--from-scan only writes a tray file: use it with `beacon-dfu batch`" }
        if hasTrayFile, hasRule { return "give --tray or --rule, not both" }
        return source.catalogue != nil || beta || release != nil
            ? "the order sets the firmware: omit --catalogue, --beta and --release" : nil
    }

    package var hasRule: Bool { !rule.isEmpty }

    /// How long to scan, in seconds.
    var scanTime: Double { scanFor ?? 10 }

    /// What ends the scan for the beacons of `source` early: the expected number of a rule, unless --scan-for is given.
    func goal(of source: TraySource) -> UnitSurvey.Goal {
        guard scanFor == nil, let condition = source.condition, let expected = source.expected else {
            return .wholeTime
        }
        return .matches(expected, condition)
    }

    package func validate() throws {
        try require(allow.isEmpty || codes != nil, "--allow requires --codes")
        try require(codes == nil || rule.isEmpty, "--codes fills the slots of a tray file: omit --rule")
        try require(fromScan == nil || !rule.isEmpty, "--from-scan requires --rule to select the beacons")
        try require(
            expected.map({ (1...1000).contains($0) }) ?? true, "--expected is a number from 1 to 1000")
        try require(seconds: scanFor, of: "--scan-for", atMost: 3600)
    }

    package init() {}
}

extension ScanOverride: ExpressibleByArgument {}

/// The options with which a unit is sent its firmware: its slot's, else the command line's, else the tray's.
struct UnitSending: Sendable {
    /// The options of units whose slot sets none.
    let common: SendingOptions
    private var own: [String: (options: SendingOptions, keys: [String])] = [:]

    init(_ options: SendingOptions, for source: TraySource) throws(CommandFailure) {
        var common = options
        if let description = source.description {
            try common.vendors.adopt(description, of: "the tray", unless: options.vendors)
        }
        self.common = common
        for slot in source.slots {
            guard let description = slot.description else { continue }
            var sending = common
            let given = try sending.vendors.adopt(description, of: "slot \(slot.label)")
            own[slot.label] = (sending, given)
        }
    }

    func targets(_ targets: [TrayTarget]) -> [TrayTarget] {
        targets.map { target in
            var target = target
            if let chosen = self[target.slot].bootloader { target.bootloaders = chosen.addresses }
            return target
        }
    }

    subscript(slot: String) -> SendingOptions { own[slot]?.options ?? common }

    /// Refuses a slot's own settings if they have no effect on its file.
    func check(_ file: any VendorFile, for slot: String) throws(CommandFailure) {
        guard let own = own[slot] else { return }
        let idle = own.options.vendors.given { !file.takes($0) && own.keys.contains($0.key) }.map(\.key)
        guard idle.isEmpty else {
            throw .invalidTray(
                "slot \(slot): '\(idle.joined(separator: "' and '"))' has no effect on a file of kind \(file.kind)"
            )
        }
    }
}

extension VendorArguments {
    /// Sets the options of `description`, and returns their keys; those `given` on the command line stay. A vendor's
    /// options describe a unit together, so all of them are set or stay; `TransferOptions` are set one by one.
    @discardableResult
    fileprivate mutating func adopt(
        _ description: UnitDescription, of place: String, unless given: VendorArguments? = nil
    ) throws(CommandFailure) -> [String] {
        var keys: [String] = []
        for type in KnownVendors.options {
            let options = type.options.filter { $0.sources.contains(.tray) }
            let described = options.filter { description.texts[$0.key] != nil }
            let areIndependent = type == TransferOptions.self
            let isGiven = options.contains { given?[type][$0] != nil }
            guard !described.isEmpty, areIndependent || !isGiven else { continue }
            for option in areIndependent ? described : options where given?[type][option] == nil {
                let text = description.texts[option.key]
                self[type][option] = text
                var alone = OptionValues()
                alone[option] = text
                if let flaw = text.flatMap(option.flaw) ?? type.flaw(in: alone) {
                    throw .invalidTray("'\(option.key)' of \(place): \(flaw.withOptions)")
                }
            }
            keys += described.map(\.key)
        }
        return keys
    }
}

extension CommandFailure {
    fileprivate static func invalidTray(_ message: String) -> CommandFailure {
        CommandFailure(.tray.trayInvalid, during: "reading the tray", message: message)
    }
}
