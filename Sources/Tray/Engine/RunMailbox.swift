import Bluetooth
import Firmware
import Synchronization
import UpdateEngine
import UpdateModel

/// Carries messages from the units' updates to the run coordinator, and the coordinator's permissions to connect back.
final class RunMailbox: Sendable {
    enum Message: Sendable {
        case fact(TrayFact)
        case heard(Advertisement, by: AdapterNumber)
        case control(TrayControl)
        case willChange(UnitNumber, DeviceChange)
        /// An attempt has ended: whether the unit may now run the new firmware.
        case mayBeInstalled(UnitNumber, Bool)
        case adapterLost(UnitNumber, UnitRecord)
        case ended(UnitNumber, UnitRecord)
        case journalFailed(any Error)
    }

    let messages: AsyncStream<Message>
    private let inbox: AsyncStream<Message>.Continuation
    private typealias Permit = OneShot<Result<ConnectionPlan, AdapterError>>
    private let permits = Mutex<[UnitNumber: Permit]>([:])
    private let claims = Mutex<[DeviceAddress: UnitNumber]>([:])

    init() { (messages, inbox) = AsyncStream.makeStream(of: Message.self) }

    func send(_ message: Message) { inbox.yield(message) }

    /// Sends `fact`, a request for a link, and waits for the permission.
    func permit(for unit: UnitNumber, after fact: TrayFact) async throws(AdapterError) -> ConnectionPlan {
        let permit = Permit()
        permits.withLock { $0[unit] = permit }
        send(.fact(fact))
        guard let answer = await permit.value() else { throw .cancelled }
        return try answer.get()
    }

    func answer(_ unit: UnitNumber, _ answer: Result<ConnectionPlan, AdapterError>) {
        permits.withLock { $0.removeValue(forKey: unit) }?.resolve(answer)
    }

    /// Reserves an address for one unit of the tray until it ends; returns the owner if another unit has it.
    func claim(_ address: DeviceAddress, for unit: UnitNumber) -> UnitNumber? {
        claims.withLock { claims in
            if let owner = claims[address], owner != unit { return owner }
            claims[address] = unit
            return nil
        }
    }

    func releaseClaims(of unit: UnitNumber) {
        claims.withLock { claims in claims = claims.filter { $0.value != unit } }
    }
}
