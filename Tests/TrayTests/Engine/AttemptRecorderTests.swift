import Bluetooth
import Testing
import UpdateModel

@testable import Tray

@Suite struct `The record of an attempt` {
    private let notes = AttemptRecorder(
        AttemptRecord(
            number: 1, session: 1, adapter: "hci0", began: RecordedTime(milliseconds: 0),
            address: "F0:00:00:00:00:10/random"), at: .zero)

    private func send(_ bytes: Int) {
        notes.note(.progress(sent: bytes, total: 100, bytesPerSecond: 1), of: UnitNumber(0), at: .seconds(1))
    }

    /// Some units are looked at over a new link after their restart, and that link is one for the update, too.
    @Test func `keeps that an image was installed until firmware is sent again`() {
        notes.noteSending()
        send(100)
        notes.noteInstalling()
        notes.noteSending()
        #expect(notes.wasToldToInstall && notes.hasBeenSent)
        send(10)
        #expect(!notes.wasToldToInstall)
    }

    /// A bootloader that starts the highest version may install what is complete: the last bytes come after
    /// the entry.
    @Test func `keeps that an image is installed while its last bytes are sent`() {
        notes.noteSending()
        send(90)
        notes.noteInstalling()
        send(100)
        #expect(notes.wasToldToInstall)
    }

    /// Some updates learn the version only as far as they have to: whether it is that of the firmware.
    @Test func `has the version of a unit that has its firmware already`() {
        notes.change {
            $0.firmware = FirmwareRecord(path: "a.zip", sha256: "00", kind: "suota", bytes: 1, version: "1.2")
        }
        #expect(notes.ended(UnitVerdict(.failed, code: .device.linkLost), at: .zero).versionBefore == nil)
        let same = UnitVerdict(.notNeeded, code: .device.sameVersion)
        #expect(notes.ended(same, at: .zero).versionBefore == "1.2")
        notes.note(ApplicationFacts(version: "v1.2"))
        #expect(notes.ended(same, at: .zero).versionBefore == "v1.2")
    }

    @Test func `has the version that the update reads, unless the unit itself has reported one`() {
        notes.note(.detail(.versionBefore("1.2.0")), of: UnitNumber(0), at: .zero)
        #expect(notes.record.versionBefore == "1.2.0" && notes.takeUnjournalled() != nil)
        notes.note(ApplicationFacts(version: "v1.2"))
        notes.note(.detail(.versionBefore("1.2.0")), of: UnitNumber(0), at: .zero)
        #expect(notes.record.versionBefore == "v1.2")
    }

    /// A later attempt compares only texts of the same source.
    @Test func `is written to the journal again once the source of the version is known`() {
        notes.note(.detail(.versionBefore("1.2.0")), of: UnitNumber(0), at: .zero)
        #expect(notes.takeUnjournalled() != nil && notes.takeUnjournalled() == nil)
        var facts = ApplicationFacts(version: "1.2.0")
        facts.versionSource = BluetoothUUID(0x2A26)
        notes.note(facts)
        #expect(notes.takeUnjournalled()?.versionSource == "2A26" && notes.takeUnjournalled() == nil)
    }

    /// Parts of one update are different images.
    @Test func `counts how often the image of a part was sent from its first byte`() {
        let ended = { notes.ended(UnitVerdict(.error), at: .seconds(2)).timesSent }
        #expect(ended() == 0 && notes.record.sentFrom == nil)
        for offset in [0, 60] {
            notes.note(.detail(.sentFromFirstByte(at: offset)), of: UnitNumber(0), at: .seconds(1))
        }
        #expect(ended() == 1)
        notes.note(.detail(.sentFromFirstByte(at: 60)), of: UnitNumber(0), at: .seconds(1))
        #expect(ended() == 2 && notes.record.sentFrom == [0, 60, 60])
    }
}
