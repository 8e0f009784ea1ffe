import Bluetooth
package import Tray
package import UpdateEngine
import UpdateModel

/// A step that is recorded before it is taken: it may or may not have been taken.
package struct ChangeRecord: Hashable, Codable, Sendable {
    package var step: DeviceStep
    /// The device's address, with its kind after a slash.
    package var address: String
    /// The part to send or install, from 1; nil if there is only one.
    package var part: Int?
    /// The number of parts; nil if there is only one.
    package var parts: Int?
    /// The SHA-256 of the file, in lower-case hexadecimal.
    package var sha256: String?
    package var at: RecordedTime

    package init(
        _ step: DeviceStep, address: String, part: Int? = nil, of parts: Int? = nil, sha256: String? = nil,
        at: RecordedTime
    ) {
        (self.step, self.address, self.part, self.parts, self.sha256) = (step, address, part, parts, sha256)
        self.at = at
    }
}

extension ChangeRecord {
    package init(_ change: DeviceChange, _ firmware: FirmwareRecord) {
        let (step, address, part): (DeviceStep, DeviceAddress, UpdatePart?) =
            switch change {
            case .enterBootloader(let address): (.enterBootloader, address, nil)
            case .configure(let address): (.configure, address, nil)
            case .update(let address, let part): (.update, address, part)
            case .activate(let address, let part): (.activate, address, part)
            }
        self.init(
            step, address: address.withKind, part: part?.number, of: part?.count,
            sha256: firmware.sha256, at: .now)
    }
}

package enum DeviceStep: String, CaseIterable, Codable, Sendable {
    case enterBootloader = "enter-bootloader"
    /// Firmware is sent, from the start or from where the transfer stopped.
    case update
    case activate
    case configure
}

/// The claim under which a unit is updated, so that a restarted program knows how long it lasts.
package struct ClaimRecord: Hashable, Sendable {
    package var slot, order: String
    /// The unit's key in the order.
    package var unit: String
    /// The claim's number among those of the unit, from 1.
    package var epoch: Int64
    /// The boot of the machine (`/proc/sys/kernel/random/boot_id`) to which `leaseEnd` refers: after another boot,
    /// `leaseEnd` is meaningless.
    package var boot: String
    /// When the lease ends, in milliseconds of `CLOCK_BOOTTIME`; nil if it does not end.
    package var leaseEnd: Int64?

    package init(slot: String, order: String, unit: String, epoch: Int64, boot: String, leaseEnd: Int64?) {
        (self.slot, self.order, self.unit, self.epoch, self.boot) = (slot, order, unit, epoch, boot)
        self.leaseEnd = leaseEnd
    }
}
