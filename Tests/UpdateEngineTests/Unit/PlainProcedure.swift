import Bluetooth
import UpdateModel

/// An image of a number of pieces, for tests without a dialogue: the simulated device sets its progress.
struct PlainProcedure: UpdateProcedure {
    static let control = Characteristic(BluetoothUUID(0xFE59), BluetoothUUID(0x1531))

    var total = 4
    /// The number of pieces on the device.
    var received = 0
    var isConfirmed = false
    var mayHaveMissedStart = false
    var targetSignature = TargetSignature(PlainProcedure.control)
    var receiver = Receiver.bootloader
    var expectedVersion: ExpectedVersion? = ExpectedVersion(text: "2")
    var applicationAddresses: Set<ExpectedAddress> = [.sameAddress, .previousAddress]

    let mayMove = false
    let inactivityLimit: Duration? = nil
    let part: UpdatePart? = nil
    let resumes = true

    var completion: Completion {
        Completion(
            isConfirmed: isConfirmed, mayHaveMissedStart: mayHaveMissedStart,
            expectedAddresses: applicationAddresses,
            timeout: .seconds(60))
    }
    var effectOnApplication: DeviceState.Application? {
        isConfirmed ? .new : received > 0 ? .gone : nil
    }

    var disconnectMeaning: DisconnectMeaning { received == total ? .perhapsDone(completion) : .mustContinue }
    func meansInstalled(_ failure: UpdateFailure) -> Bool { false }
    func remedy(for failure: UpdateFailure) -> Advice? { nil }
    func check(_ running: ApplicationFacts) throws(UpdateFailure) -> [UpdateNotice] { [] }

    mutating func begin(on link: LinkFacts) throws(UpdateFailure) -> UpdateStep { end }
    mutating func advance(after outcome: DialogueOutcome) throws(UpdateFailure) -> UpdateStep { end }
    mutating func note(_ times: CommandTimes) {}
    private var end: UpdateStep { UpdateStep(.end(.complete(completion))) }
}

/// An entry with one request.
struct PlainEntry: BootloaderEntry {
    static let entryCharacteristic = Characteristic(BluetoothUUID(0xFE59), BluetoothUUID(0x0003))

    let expectedAddresses: Set<ExpectedAddress> = [.nextAddress]
    var handoff: BootloaderHandoff { BootloaderHandoff(expectedAddresses: expectedAddresses, name: nil) }

    var entryCharacteristics: [Characteristic] { [Self.entryCharacteristic] }
    func expectedAddresses(enteringBy entryCharacteristic: Characteristic) -> Set<ExpectedAddress> {
        expectedAddresses
    }
    func mayName(enteringBy entryCharacteristic: Characteristic) -> Bool { false }
    mutating func choose(_ entryCharacteristic: Characteristic) {}
    var handoffOnLoss: BootloaderHandoff? { nil }

    mutating func begin(on link: LinkFacts) throws(UpdateFailure) -> EntryStep { EntryStep(.end(handoff)) }
    mutating func advance(after outcome: DialogueOutcome) throws(UpdateFailure) -> EntryStep {
        EntryStep(.end(handoff))
    }
    mutating func note(_ times: CommandTimes) {}
}
