import CommandKit
import Dialog
import Tray
import UpdateModel

/// How each unit of a tray is sent its firmware: by its slot, else by the command line, else by the tray.
struct UnitSending: Sendable {
    /// The options of units whose slot sets none.
    let common: SendingOptions
    private var own: [String: (options: SendingOptions, keys: [String])] = [:]

    /// Combines the command line's `options` with those of `source`.
    init(_ options: SendingOptions, for source: TraySource) throws(CommandFailure) {
        var common = options
        if let memory = source.memory, options.suota.pins == nil, options.suota.profile == nil {
            common.suota = try Self.checked(options.suota.reaching(memory), "the tray")
        }
        self.common = common
        for slot in source.slots {
            guard let memory = slot.memory else { continue }
            var sending = common
            sending.suota = try Self.checked(options.suota.reaching(memory), "slot \(slot.label)")
            let keys = [memory.pins.map { _ in "pins" }, memory.profile.map { _ in "profile" }]
            own[slot.label] = (sending, keys.compactMap(\.self))
        }
    }

    /// The options for the unit in a slot.
    subscript(slot: String) -> SendingOptions { own[slot]?.options ?? common }

    /// Refuses a slot's own settings if they have no effect on its file.
    func check(_ file: any VendorFile, for slot: String) throws(CommandFailure) {
        guard let keys = own[slot]?.keys, !file.takes(SUOTAPreferences.self) else { return }
        throw Self.invalid(
            "slot \(slot): '\(keys.joined(separator: "' and '"))' has no effect on a file of kind \(file.kind)"
        )
    }

    private static func checked(
        _ options: SUOTAOptions, _ place: String
    ) throws(CommandFailure) -> SUOTAOptions {
        if let pins = options.pins {
            do throws(PinMapError) { _ = try PinMap(pins) } catch {
                throw invalid("'pins' of \(place): \(error)")
            }
        }
        return options
    }

    private static func invalid(_ message: String) -> CommandFailure {
        CommandFailure(.tray.trayInvalid, during: "reading the tray", message: message)
    }
}
