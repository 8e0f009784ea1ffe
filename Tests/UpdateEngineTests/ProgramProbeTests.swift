import Bluetooth
import Testing
import UpdateModel

@testable import UpdateEngine

/// A device that answers a dialogue from its values.
private struct Device {
    static let control = Characteristic(BluetoothUUID(0xFE59), BluetoothUUID(0x0001))
    static let version = Characteristic(BluetoothUUID(0xFE59), BluetoothUUID(0x0002))
    static let firstEntry = Characteristic(BluetoothUUID(0xFE59), BluetoothUUID(0x0003))
    static let secondEntry = Characteristic(BluetoothUUID(0xFE59), BluetoothUUID(0x0004))

    var services: [UInt16] = [0x1800, 0x1801, 0xFE59]
    /// Its values; nil for one that may not be read.
    var values: [Characteristic: [UInt8]?] = [:]

    func outcome<Ending>(of command: DialogueCommand<Ending>) -> DialogueOutcome? {
        switch command {
        case .list(.services, _):
            .services(services.map { ServiceDeclaration(uuid: BluetoothUUID($0), handles: 1...2) })
        case .find(let wanted): values[wanted] == nil ? .absent : .done
        case .read(let source), .readIfAllowed(let source):
            (values[source] ?? nil).map { .value($0) } ?? .absent
        default: nil
        }
    }

    /// The result of a probe, and all its requests.
    func answer<D: Dialogue>(_ probe: D) throws -> (ending: D.Ending, asked: [DialogueCommand<D.Ending>]) {
        var probe = probe
        var asked: [DialogueCommand<D.Ending>] = []
        var step = try probe.begin(on: LinkFacts(maximumWriteLength: 20))
        while true {
            if case .end(let ending) = step.command { return (ending, asked) }
            asked.append(step.command)
            step = try probe.advance(after: try #require(outcome(of: step.command)))
        }
    }

    func program(_ probe: ProgramProbe) throws -> String {
        switch try answer(probe).ending {
        case .receiver(let receiver, let revision)?: "\(receiver) \(Self.words(revision))"
        case .application(let entry, let revision)?:
            "entered by \(entry?.uuid.description ?? "nothing") \(Self.words(revision))"
        case .unrelated?: "a stranger"
        case nil: "unknown"
        }
    }

    private static func words(_ revision: Revision?) -> String {
        revision.map { "\($0.text) in \($0.source?.description ?? "a session")" } ?? "without version"
    }
}

private func questions(
    _ signature: TargetSignature = TargetSignature(Device.control), entries: [Characteristic] = [],
    expecting version: String? = nil, knowsVersion: Bool = false
) -> ProbeOptions {
    ProbeOptions(
        targetSignature: signature, entryCharacteristics: entries,
        expectedVersion: version.map { ExpectedVersion(text: $0) }, knowsVersion: knowsVersion)
}

private func probe(_ questions: ProbeOptions) -> ProgramProbe {
    ProgramProbe(questions, within: .seconds(10))
}

@Suite struct `The program that a device runs` {
    @Test
    func `is a bootloader if its service is the only one, and then has no version query`()
        throws
    {
        let device = Device(values: [Device.control: nil, Characteristic.firmwareRevision: Array("1".utf8)])
        #expect(try device.program(probe(questions())) == "bootloader without version")
        #expect(try device.answer(probe(questions())).asked.count == 2)
    }

    @Test func `is an application with a version if its services indicate that`() throws {
        let device = Device(
            services: [0x1800, 0x180A, 0x180F, 0xFE59],
            values: [Device.control: nil, Characteristic.firmwareRevision: Array("1.2\0\0".utf8)])
        #expect(try device.program(probe(questions())) == "application 1.2 in 2A26")
        #expect(try device.program(probe(questions(knowsVersion: true))) == "application without version")
    }

    @Test(arguments: [
        (firmware: "1", software: "2", shown: "2 in 2A28"), ("2", "1", "2 in 2A26"), ("1", "3", "1 in 2A26"),
        ("1", nil, "1 in 2A26"), (nil, "2", "2 in 2A28"), (nil, "3", "3 in 2A28"),
        (nil, nil, "without version"),
    ])
    func `reports the expected version 2 wherever it is, else the firmware's`(
        firmware: String?, software: String?, shown: String
    ) throws {
        var device = Device(services: [0x180A, 0x180F, 0xFE59], values: [Device.control: nil])
        if let firmware { device.values[Characteristic.firmwareRevision] = Array(firmware.utf8) }
        if let software { device.values[Characteristic.softwareRevision] = Array(software.utf8) }
        #expect(try device.program(probe(questions(expecting: "2"))) == "application \(shown)")
        let version = ProgramProbe(questions(expecting: "2"), within: .zero, readsOnlyVersion: true)
        #expect(try device.program(version) == "entered by nothing \(shown)")
        #expect(try device.answer(version).asked.count <= 2)
    }

    @Test func `is distinguished from an application with the same characteristic by its version value`()
        throws
    {
        let signature = TargetSignature(
            Device.control, version: Device.version,
            receiver: { $0.version == [8, 0] ? $0.receiver(of: Device.control.service) : nil },
            isAbove: { _ in true })
        var device = Device(values: [Device.control: nil, Device.version: [8, 0]])
        #expect(try device.program(probe(questions(signature))) == "bootloader without version")
        device.values[Device.version] = [1, 0]
        #expect(
            try device.program(probe(questions(signature, entries: [Device.control])))
                == "entered by 0001 without version")
        device.values[Device.version] = .some(nil)
        #expect(try device.program(probe(questions(signature))) == "entered by nothing without version")
    }

    @Test func `is a stranger if it was assumed to be a bootloader that it cannot be`() throws {
        let device = Device(values: [Device.control: nil, Device.version: [8, 0]])
        for isAbove in [true, false] {
            let signature = TargetSignature(
                Device.control, version: Device.version, receiver: { _ in .bootloader },
                isAbove: { _ in isAbove })
            var asked = questions(signature)
            #expect(try device.program(probe(asked)) == "bootloader without version")
            asked.isAssumed = true
            #expect(
                try device.program(probe(asked)) == (isAbove ? "bootloader without version" : "a stranger"))
        }
    }

    @Test func `can be entered by the first supported characteristic`() throws {
        let entries = [Device.firstEntry, Device.secondEntry]
        let version = Array("7".utf8)
        var device = Device(values: [Device.secondEntry: nil, Characteristic.firmwareRevision: version])
        #expect(try device.program(probe(questions(entries: entries))) == "entered by 0004 7 in 2A26")
        device.values[Device.firstEntry] = .some(nil)
        #expect(try device.program(probe(questions(entries: entries))) == "entered by 0003 7 in 2A26")
        #expect(try device.program(probe(questions())) == "entered by nothing 7 in 2A26")
    }

    @Test func `includes the other data of an application`() throws {
        let hardware = Characteristic(BluetoothUUID(0x180A), BluetoothUUID(0x2A27))
        let battery = Characteristic(BluetoothUUID(0x180F), BluetoothUUID(0x2A19))
        let device = Device(values: [hardware: Array("B\0".utf8), battery: [93, 1]])
        let values = try device.answer(ValuesDialogue(of: ApplicationFacts.sources)).ending
        #expect(
            ApplicationFacts(version: "1", values: values)
                == ApplicationFacts(version: "1", hardware: "B", model: nil, battery: 93))
    }

    @Test func `is unknown if its services have no end`() throws {
        var probe = probe(questions())
        _ = probe.begin(on: LinkFacts(maximumWriteLength: 20))
        guard case .end(let program) = try probe.advance(after: .timedOut).command else {
            Issue.record("it goes on")
            return
        }
        #expect(program == nil)
    }

    @Test func `is an error if its services are refused`() {
        var probe = probe(questions())
        _ = probe.begin(on: LinkFacts(maximumWriteLength: 20))
        let refused = GATTError.refused(.insufficientAuthorization, handle: 1, during: "listing services")
        #expect(throws: refused) { try probe.advance(after: .failed(refused)) }
    }
}
