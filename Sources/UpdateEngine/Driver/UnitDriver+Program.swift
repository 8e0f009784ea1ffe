import BluetoothTypes
import GATT
import Radio
import Timing
import UpdateCore

extension UnitDriver {
    /// Tells of a value that was read.
    var tellRead: ATTClient.Reader { { [report] in report(.detail(.characteristicRead($0, $1))) } }

    /// Agrees on the MTU and sees what the device runs.
    func introduce(
        _ client: ATTClient, _ address: DeviceAddress, asking questions: ProgramQuestions,
        _ parameters: @escaping @Sendable () async -> LinkParameters
    ) async throws -> Program {
        let program = try await adapter.time.within(policy.introduction) { [report, tellRead] in
            try await client.exchangeMTU()
            let link = await parameters()
            report(
                .connected(
                    address,
                    LinkDescription(
                        mtu: await client.mtu, interval: link.interval, phy: link.phy?.rawValue)))
            return try await client.program(questions, telling: tellRead) {
                report(.detail(.servicesDiscovered($0)))
            }
        }
        guard let program else {
            throw UpdateFailure(
                .noAnswer, during: "discovering services",
                message: "\(address) did not come to the end of its services in "
                    + "\(Int(policy.introduction.seconds)) s", mayReconnect: true)
        }
        return program
    }

    /// What the device at `address` runs. Looking at it must not pair with it.
    func glance(at address: DeviceAddress, asking questions: ProgramQuestions) async throws -> Glance {
        do {
            let program = try await adapter.withLink(
                to: address, asking: LinkRequest(priority: policy.reconnectPriority), within: policy.connect,
                mayEncrypt: false
            ) { client, _ in
                try await adapter.time.within(policy.introduction) { [tellRead] in
                    // Whether an application takes updates says nothing of which one it is.
                    questions.targetSignature.isApplication
                        ? .application(
                            entryCharacteristic: nil,
                            revision: try await client.readRevision(
                                meeting: questions.expectedVersion, telling: tellRead))
                        : try await client.program(questions, telling: tellRead)
                }
            }
            return program.map { .program($0) } ?? .unfinished
        } catch AdapterError.noAnswer {
            return .unreached
        } catch let error as GATTError where error != .cancelled {
            return .unreached
        }
    }
}
