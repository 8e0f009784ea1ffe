import Bluetooth
import CommandKit
import Firmware
import UpdateModel

/// An update that was checked as far as possible without a connection.
struct PlannedFlash: Sendable {
    let job: FlashJob
    /// The SHA-256 of the package, in lower-case hexadecimal.
    let sha256: String
    let found: DeviceSearch.Result
    /// The catalogue's choice; nil if a file was named.
    var chosen: ReleaseSearch.Result?
    /// How many links may fail in a row.
    let fruitlessLinks: Int
    /// The options of the update for a command that names the package.
    var arguments: [String] = []
    let secrets: SecretStore

    var installed: String? { chosen?.device.version ?? found.beacon.identity.version }

    /// How to continue with a unit that `failure` left in its bootloader or in an unknown state: a bootloader
    /// has neither the name nor the id of its application, and does not report which release it was sent. Nil
    /// if the same command works.
    func continuation(after failure: UpdateFailure, selectedBy selector: DeviceSelector?) -> String? {
        guard let state = failure.state, state.program != .application, state.application != .new
        else { return nil }
        // The failure's own next step names the program that came up.
        guard failure.code != .device.bootloaderNotFound else { return nil }
        let places = [found.application, found.application.neighbour(1)]
        let bootloader = job.options[TransferOptions.self].bootloader
        let isElsewhere = state.program == .bootloader && !places.contains(state.address) && bootloader == nil
        let selection = isElsewhere ? ["--bootloader", "\(state.address)"] : []
        guard chosen != nil else {
            if isElsewhere {
                return
                    "give `--device \(found.application) --bootloader \(state.address)` with it: the bootloader "
                    + "is not at the address after its application's"
            }
            guard selector?.addresses.isEmpty ?? true else { return nil }
            return
                "then select it by its address, `--device \(found.application)`: its bootloader has another name"
        }
        // The bootloader would refuse the same package again.
        let isRefused = failure.code.exit == .failed && state.application == .intact
        let command = Self.command(
            isRefused ? "FILE" : job.path, arguments + selection, at: found.application)
        return isRefused
            ? "its application is intact: once it runs again, the catalogue can choose; until then name another "
                + "package: \(command)"
            : "a bootloader does not report which release it was sent, so name the package: \(command)"
    }

    /// The command that flashes `file` to the unit at `address`, in backquotes.
    static func command(_ file: String, _ arguments: [String], at address: DeviceAddress) -> String {
        let words = ["beacon-dfu", "flash", file] + arguments + ["--device", "\(address)"]
        return "`" + words.map(ShellWord.quoted).joined(separator: " ") + "`"
    }
}

extension RepeatedOptions {
    /// The same options with the file of `planned`, and with its beacon at the address that it has after `error`.
    func naming(_ planned: PlannedFlash, after error: any Error) -> RepeatedOptions {
        let state = (error as? UpdateFailure)?.state
        return self.naming(
            .bareAddress(state?.address ?? planned.found.beacon.address), file: planned.job.path)
    }
}
