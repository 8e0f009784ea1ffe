package import Bluetooth
import UpdateModel

enum ProbeResult: Sendable {
    case program(Program)
    /// The device runs this program, but did not report its version in a session.
    case silent(Program, UpdateFailure)
    /// No link could be established, or it was lost too soon.
    case unreached
    case unfinished
}

enum Program: Sendable {
    /// A program that takes the update, with its version text; nil if it was not read, as from a bootloader.
    case receiver(Receiver, revision: Revision?)
    /// An application, with the characteristic that enters its bootloader and its version text.
    case application(entryCharacteristic: Characteristic?, revision: Revision?)
    /// A program that takes the update, but cannot be the bootloader of the application at the address below.
    case unrelated

    var revision: Revision? {
        switch self {
        case .receiver(_, let revision), .application(_, let revision): revision
        case .unrelated: nil
        }
    }

    /// The kind of program, if it takes the update; otherwise nil.
    var receiver: Receiver? { if case .receiver(let receiver, _) = self { receiver } else { nil } }
}

/// What a probe has to find out, and by which attributes.
struct ProbeOptions: Sendable {
    /// Distinguishes a program that takes the update from others.
    var targetSignature: TargetSignature
    /// The characteristics by which an application can be sent to its bootloader.
    var entryCharacteristics: [Characteristic] = []
    var expectedVersion: ExpectedVersion?
    /// Whether the version of a program that takes the update is known.
    var knowsVersion = false
    /// Whether an application that takes the update itself is asked for its identity before that.
    var identifies = false
    /// Whether the device is assumed to be the bootloader of the application at the address below only because that
    /// application is silent.
    var isAssumed = false
}

/// What the unit reported before its update, to compare with afterwards.
struct Baseline: Sendable {
    /// The application's version text; nil if it has none or was not asked.
    var revision: Revision?
    /// The version text of a program that may be a bootloader or an application.
    var revisionOfEither: Revision?
    var advertisedVersion: String?
    /// The program that takes the update, as first detected; nil before that.
    var receiver: Receiver?

    /// The version text to compare with that of a program detected as `found`.
    func revision(of found: Receiver?) -> Revision? { found == .either ? revisionOfEither : revision }

    /// Whether the version text of a program detected as `found` has changed.
    func differs(from shown: Revision?, of found: Receiver) -> Bool {
        guard let shown, let before = revision(of: found) else { return false }
        return shown.text != before.text
    }
}

/// The version text of a program.
package struct Revision: Equatable, Sendable {
    package var text: String
    /// The characteristic with the text, or a service; nil if the text was read in a session or an advertisement.
    package var source: BluetoothUUID?

    package init(text: String, source: BluetoothUUID?) { (self.text, self.source) = (text, source) }
}

/// The last known address of a unit, and the program it ran there.
struct DeviceSighting: Equatable, Sendable {
    var program = DeviceState.Program.unknown
    /// Nil before it was heard.
    var address: DeviceAddress?
}
