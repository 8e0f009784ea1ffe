import Bluetooth
import Testing

@testable import BlueZ

@Suite struct `The capabilities of the program` {
    static let root = Capabilities(
        effective: Capabilities.Bits(rawValue: 0x1FF_FFFF_FFFF),
        permitted: Capabilities.Bits(rawValue: 0x1FF_FFFF_FFFF), inheritable: [])
    static let both: Capabilities.Bits = [.networkAdministration, .rawSockets]
    static let granted = Capabilities(effective: both, permitted: both, inheritable: both)

    @Test func `are none without a radio`() {
        let left = BluetoothPrivileges.remaining(of: Self.granted, needingAdapter: false)
        #expect(left == Capabilities(effective: [], permitted: [], inheritable: []))
    }

    @Test func `include the one for commands to a controller, not in effect, with a radio`() {
        let left = BluetoothPrivileges.remaining(of: Self.granted, needingAdapter: true)
        #expect(left == Capabilities(effective: [], permitted: .rawSockets, inheritable: []))
        #expect(left.raising(.rawSockets).effective == .rawSockets)
        #expect(left.raising(.networkAdministration).effective == [])
    }

    @Test func `include both, not in effect, with an adapter that is used exclusively`() {
        let left = BluetoothPrivileges.remaining(of: Self.granted, needingAdapter: true, exclusively: true)
        #expect(left == Capabilities(effective: [], permitted: Self.both, inheritable: []))
    }

    @Test(arguments: [true, false]) func `leave root's other ones alone`(_ needsAdapter: Bool) {
        let left = BluetoothPrivileges.remaining(of: Self.root, needingAdapter: needsAdapter)
        #expect(left.effective == Self.root.effective.subtracting(Self.both))
        #expect(left.permitted.isSuperset(of: left.effective))
    }

    /// The capabilities of the test process: the kernel can report them and take them back.
    @Test func `are read and written as the kernel has them`() throws {
        let now = try #require(Capabilities.current)
        #expect(now.permitted.isSuperset(of: now.effective))
        #expect(now.apply())
        #expect(Capabilities.current == now)
    }
}

@Suite struct `The record of a controller's original state` {
    @Test func `is the same when it is read again`() {
        for phys in [nil, PHYSelection(rawValue: 0x6FF)] {
            for isMoved in [false, true] {
                let record = ControllerRecord(settings: [.lowEnergy], phys: phys, isMoved: isMoved)
                #expect(ControllerRecord(record.text) == record)
                let other = ControllerRecord(settings: [.powered], phys: phys, isExclusive: !isMoved)
                #expect(ControllerRecord(other.text) == other)
            }
        }
    }

    @Test(arguments: ["", "x", "00000200", "00000200 -x", "00000200 - -", "1ffffffff -", "-1 -"])
    func `is ignored when it is damaged`(_ text: String) { #expect(ControllerRecord(text) == nil) }

    @Test(
        arguments: [
            (ControllerRecord(settings: []), "switched on, with Low Energy on"),
            (ControllerRecord(settings: [.lowEnergy]), "switched on"),
            (
                ControllerRecord(settings: [.powered, .lowEnergy], phys: PHYSelection(rawValue: 1)),
                "with other PHYs selected"
            ),
            (ControllerRecord(settings: [.powered, .lowEnergy], isExclusive: true), "switched off"),
        ] as [(ControllerRecord, String)])
    func `names what was left changed`(_ record: ControllerRecord, _ words: String) {
        #expect(
            record.leftovers(on: "hci0", isPowered: !record.isExclusive)
                == "a run that was killed has left hci0 " + words)
    }
}
