import Bluetooth
import Synchronization
import UpdateEngine

/// The mailbox between the units' updates and the run coordinator: facts one way, permissions the other.
final class RunMailbox: Sendable {
    enum Message: Sendable {
        case fact(TrayFact)
        case heard(Advertisement, by: AdapterNumber)
        case control(TrayControl)
        /// A step is about to change the unit.
        case changes(UnitNumber, DeviceChange)
        /// The unit's adapter is gone.
        case left(UnitNumber, UnitRecord)
        case ended(UnitNumber, UnitRecord)
        case broken(any Error)
    }

    /// All messages, in their order.
    let messages: AsyncStream<Message>
    private let inbox: AsyncStream<Message>.Continuation
    private typealias Permit = OneShot<Result<ConnectionPlan, AdapterError>>
    private let permits = Mutex<[UnitNumber: Permit]>([:])
    private let claims = Mutex<[DeviceAddress: UnitNumber]>([:])

    init() { (messages, inbox) = AsyncStream.makeStream(of: Message.self) }

    func say(_ fact: TrayFact) { inbox.yield(.fact(fact)) }
    func hand(in message: Message) { inbox.yield(message) }

    func permit(for unit: UnitNumber) async throws(AdapterError) -> ConnectionPlan {
        let permit = waiting(unit)
        say(.wantsLink(unit))
        return try await Self.value(of: permit)
    }

    /// Reports that there was no capacity for a link, and waits for the next permission.
    func nextPermit(for unit: UnitNumber) async throws(AdapterError) -> ConnectionPlan {
        let permit = waiting(unit)
        say(.notConnected(unit, .tooManyLinks))
        return try await Self.value(of: permit)
    }

    func grant(_ plan: ConnectionPlan) {
        permits.withLock { $0.removeValue(forKey: plan.unit) }?.settle(.success(plan))
    }

    func refuse(_ unit: UnitNumber, _ reason: AdapterError) {
        permits.withLock { $0.removeValue(forKey: unit) }?.settle(.failure(reason))
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

    private func waiting(_ unit: UnitNumber) -> Permit {
        let permit = Permit()
        permits.withLock { $0[unit] = permit }
        return permit
    }

    private static func value(of permit: Permit) async throws(AdapterError) -> ConnectionPlan {
        guard let answer = await permit.value() else { throw .cancelled }
        return try answer.get()
    }
}
