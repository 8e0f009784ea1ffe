import BluetoothTypes
import GATT
import Radio
import Sessions
import Timing
import UpdateCore

extension UnitDriver {
    /// What `dialogue` comes to over the link that `client` has.
    func answer<D: Dialogue>(
        to dialogue: D, from client: any GATTClient,
        telling tell: @escaping @Sendable (D.Notice) -> Void = { _ in }
    ) async throws -> D.Ending {
        var dialogue = dialogue
        var observer = ProbeObserver(report: report, tell: tell)
        var runner = SessionRunner(with: client, time: adapter.time)
        guard case .ended(let ending) = try await runner.run(&dialogue, &observer) else {
            throw GATTError.disconnected
        }
        return ending
    }

    /// Agrees on the MTU and sees what the device runs.
    mutating func introduce(
        _ client: ATTClient, _ address: DeviceAddress, asking questions: ProgramQuestions,
        _ parameters: @escaping @Sendable () async -> LinkParameters
    ) async throws -> Program {
        let limit = policy.introduction
        let program = try await adapter.time.within(limit) { [self] in
            try await client.exchangeMTU()
            let link = await parameters()
            report(
                .connected(
                    address,
                    LinkDescription(
                        mtu: await client.mtu, interval: link.interval, phy: link.phy?.rawValue)))
            return try await answer(to: ProgramProbe(questions, within: limit), from: client) { [report] in
                report(.detail(.servicesDiscovered($0)))
            }
        }
        guard let program = program ?? nil else {
            throw UpdateFailure(
                .noAnswer, during: "discovering services",
                message: "\(address) did not come to the end of its services in \(Int(limit.seconds)) s",
                mayReconnect: true)
        }
        do {
            return try await spoken(
                to: program, address, over: client, known: entersWithoutSession ? introduction : nil)
        } catch let error as SessionFailure { throw UpdateFailure(error) }
    }

    /// What an application is in its own words, where it wants to be spoken to and they are not `known`.
    private mutating func spoken(
        to program: Program, _ address: DeviceAddress, over client: ATTClient,
        known: ApplicationFacts? = nil
    ) async throws -> Program {
        guard case .application(let entry, _) = program, let introducing else { return program }
        var facts = known
        if facts == nil { facts = try await answer(to: try introducing(address), from: client) }
        guard let facts else { return program }
        introduction = facts
        return .application(
            entryCharacteristic: entry,
            revision: facts.version.map { Revision(text: $0, source: nil) })
    }

    /// What the device at `address` runs. Looking at it must not pair with it.
    mutating func glance(at address: DeviceAddress, asking questions: ProgramQuestions) async throws -> Glance
    {
        let limit = policy.introduction
        // Whether an application takes updates says nothing of which one it is.
        let probe =
            questions.targetSignature.isApplication
            ? ProgramProbe.version(meeting: questions) : ProgramProbe(questions, within: limit)
        do {
            let program = try await adapter.withLink(
                to: address, asking: LinkRequest(priority: policy.reconnectPriority), within: policy.connect,
                mayEncrypt: false
            ) { client, _ in
                let program = try await adapter.time.within(limit) { [self] in
                    try await answer(to: probe, from: client)
                }
                guard let program = program ?? nil else { return Program?.none }
                do { return try await spoken(to: program, address, over: client) } catch let error
                    as SessionFailure
                    where !error.mayPass
                {
                    report(.warning(FailureCode(rawValue: error.code.rawValue), error.message))
                    return .application(entryCharacteristic: nil, revision: nil)
                }
            }
            return program.map { .program($0) } ?? .unfinished
        } catch is SessionFailure {
            return .unfinished
        } catch AdapterError.noAnswer, AdapterError.tooManyLinks {
            return .unreached
        } catch let error as GATTError where error != .cancelled {
            return .unreached
        }
    }
}
