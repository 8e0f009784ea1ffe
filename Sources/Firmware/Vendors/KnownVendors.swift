public import Bluetooth
import Bytes
import Dialog
import Feasycom
import KKM
import MCUboot
import Nordic
import Orange
import Synchronization
public import UpdateModel

/// The vendors that this program supports, in the order in which they are tried.
public enum KnownVendors {
    /// All vendors, added ones first.
    public static var all: [any Vendor] { list(limits: ArchiveLimits()) }

    /// Adds a vendor for this process; it is tried before the built-in ones. Call it before anything else here:
    /// the rules of the release gate and ``withSessions`` are created only once.
    public static func add(_ vendor: any Vendor) { added.withLock { $0.append(vendor) } }

    private static let added = Mutex<[any Vendor]>([])

    static func list(limits: ArchiveLimits) -> [any Vendor] {
        added.withLock(\.self)
            + [
                // Before Nordic, which takes every ZIP file.
                MCUbootVendor(limits: limits), NordicVendor(limits: limits),
                DialogVendor(largestFile: limits.fileBytes), KKMVendor(), FeasycomVendor(), OrangeVendor(),
            ]
    }

    /// The vendors whose beacons have sessions.
    public static let withSessions = all.compactMap { $0 as? any SessionVendor }

    /// The options for sending firmware: the general ones, then those of all vendors.
    public static var options: [any VendorOptions.Type] { [TransferOptions.self] + all.flatMap(\.options) }

    /// The options that `source` can set.
    public static func options(in source: VendorOption.Source) -> [VendorOption] {
        options.flatMap { $0.options }.filter { $0.sources.contains(source) }
    }

    /// The meanings of devices' answers: to updates, then to requests to start a bootloader.
    public static var resultTables: [ResultTable] {
        let tables = all.flatMap(\.resultTables)
        return tables.filter { !$0.isOfEntry } + tables.filter(\.isOfEntry)
    }

    /// Every kind of firmware.
    public static var kinds: [FirmwareKind] { all.flatMap(\.kinds) }

    /// The name of the recipe that builds files of `kind`; nil if there is none.
    public static func recipe(for kind: FirmwareKind) -> String? {
        all.lazy.compactMap { $0.wording.recipes[kind] }.first
    }

    /// The formats of the frames that vendors' beacons advertise.
    package static var frameFormats: [any FrameFormat.Type] {
        all.flatMap { ($0 as? any AdvertisingVendor)?.frameFormats ?? [] }
    }

    /// The file extensions of firmware files.
    public static var fileExtensions: [String] { all.flatMap(\.fileExtensions) }

    /// A file among the samples, for examples.
    public static var sample: String { all.lazy.compactMap(\.wording.sample).first ?? "FILE" }

    /// The file extensions of each vendor, with the word for the vendor's files.
    static var extensionsByVendor: String {
        all.filter { !$0.fileExtensions.isEmpty }
            .map { "\($0.fileExtensions.joined(separator: " or ")) (\($0.wording.files ?? $0.name))" }
            .joined(separator: ", ")
    }

    /// The vendors' names for their characteristics.
    public static var characteristicNames: [BluetoothUUID: String] {
        all.reduce(into: [:]) { $0.merge($1.characteristicNames) { first, _ in first } }
    }

    /// The update service among the advertised `services`; nil if there is none.
    public static func update(advertisedBy services: [BluetoothUUID]) -> AdvertisedUpdate? {
        advertised.first { services.contains($0.service) }
    }

    /// The vendor whose update service is among `services`, by its name in JSON output; nil if there is none.
    public static func vendorName(advertisedBy services: [BluetoothUUID]) -> String? {
        all.first { $0.advertised.contains { services.contains($0.service) } }?.name
    }

    /// The kinds of firmware that beacons of the maker `name` accept; nil if no vendor here is that maker, or if its
    /// beacons accept none.
    public static func kinds(ofMaker name: String) -> [FirmwareKind]? { kindsByName[name] }

    /// Whether updates are sent over `service`.
    public static func isUpdateService(_ service: BluetoothUUID) -> Bool {
        advertised.contains { $0.service == service }
    }

    /// The plan that installs `file` on a device that advertises `services`; throws for a device that
    /// advertises another kind of update.
    public static func plan(
        for file: any VendorFile, onDeviceAdvertising services: [BluetoothUUID], _ options: UpdateOptions
    ) throws(PlanRefusal) -> UpdatePlan {
        let plan = try file.plan(options)
        try check(plan, onDeviceAdvertising: services)
        return plan
    }

    /// Throws for a device that advertises `services` of another kind of update than that of `plan`.
    public static func check(
        _ plan: UpdatePlan, onDeviceAdvertising services: [BluetoothUUID]
    ) throws(PlanRefusal) {
        guard !services.contains(plan.service), let other = update(advertisedBy: services) else { return }
        throw .device(other)
    }

    /// The ways to update a device with these attributes.
    public static func updates(offeredBy device: DeviceInventory) -> [OfferedUpdate] {
        all.flatMap { $0.updates(offeredBy: device) }
    }

    // Both are stored, because they are used for every report that is heard.
    private static let advertised = all.flatMap(\.advertised)
    private static let kindsByName = Dictionary(
        all.filter { !$0.kindsTaken.isEmpty }.map { ($0.name, $0.kindsTaken) }
    ) { first, _ in first }
}
