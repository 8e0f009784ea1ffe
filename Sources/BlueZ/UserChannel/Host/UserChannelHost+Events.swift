import Bluetooth
import Bytes

extension UserChannelHost {
    private typealias Opcode = HCICommand.Opcode

    /// How many peers are remembered that advertise on LE Coded.
    private static let mostCoded = 1024

    /// Handles a packet of the controller. A packet that cannot be read is skipped.
    mutating func receive(_ bytes: [UInt8], at now: Duration) {
        guard phase != .failed else { return }
        var reader = ByteReader(bytes)
        do throws(ByteError) { apply(try ControllerPacket(parsing: &reader), at: now) } catch {
            emit(.note("\(name) has sent a packet that cannot be read: \(error)"))
        }
        advance(to: now)
    }

    private mutating func apply(_ packet: ControllerPacket, at now: Duration) {
        switch packet {
        case .event(let event, let credits):
            if let credits { note(credits: credits, at: now) }
            if let (opcode, status, parameters) = event.answer, let command = completeOutstanding(opcode) {
                noteAnswer(to: command, status, parameters, by: event, at: now)
            }
            // Events that arrive before the controller is prepared concern links that are not ours.
            if phase != .starting { apply(event, at: now) }
        case .completed(let list): for entry in list { buffers.complete(entry.count, of: entry.handle) }
        case .reports(let reports): for report in reports { hear(report) }
        case .peerFeatures(let handle, let features):
            establish(handle)
            tune(handle, peerFeatures: features ?? 0)
        case .parameterRequest(let handle, let requested):
            guard links[handle] != nil, let granted = requested.granted(for: linkRequest(of: handle)) else {
                return send(.refuseParameters(handle))
            }
            links[handle]?.granted = LinkSteps(granted)
            send(.acceptParameters(handle, LinkSteps(granted)))
        case .data(let part): receive(part)
        case .hardwareError(let code):
            fail("\(name) reports a hardware error, \(HexText.number(code))", at: now)
        case .other: break
        }
    }

    private mutating func hear(_ part: AdvertisingReport) {
        guard scan.isOn, let report = assembly.add(part) else { return }
        if report.packets?.primary == .leCoded {
            if coded.count >= Self.mostCoded { coded = [] }
            coded.insert(report.address)
        } else if !coded.isEmpty {
            coded.remove(report.address)
        }
        emit(.heard(report.advertisement))
    }

    private mutating func noteAnswer(
        to command: HCICommand, _ status: HCIStatus, _ parameters: [UInt8], by event: HCIEvent,
        at now: Duration
    ) {
        switch phase {
        case .starting: return noteStart(command, status, parameters, at: now)
        case .ending where command == .reset: return emit(.ended)
        case .ready, .ending, .failed: break
        }
        switch command.opcode {
        case Opcode.createConnection, Opcode.createExtendedConnection: noteCreate(status, at: now)
        case Opcode.cancelConnection: connector.noteCancellation(status, at: now)
        case Opcode.addToAcceptList, Opcode.removeFromAcceptList, Opcode.clearAcceptList:
            connector.noteChange(of: command, status, at: now)
        case Opcode.scan, Opcode.scanExtended: noteScan(command, status, at: now)
        case Opcode.disconnect where status != .success:
            // There is no such link any more.
            if let handle = command.handle { drop(handle, status) }
        case Opcode.readPeerFeatures where status != .success:
            if let handle = command.handle {
                establish(handle)
                tune(handle, peerFeatures: 0)
            }
        default:
            table.note(event)
            if let handle = command.handle { noteTuning(command, status, of: handle) }
        }
    }

    /// Notes that the controller has begun to wait for connections, or refuses to.
    private mutating func noteCreate(_ status: HCIStatus, at now: Duration) {
        if status == .disallowed, scan.isOn, scan.canScanWhileConnecting {
            emit(.note("\(name) does not connect while it scans: both take turns"))
            scan.canScanWhileConnecting = false
        }
        connector.noteBeginning(status, at: now)
        noteRefusal(status)
    }

    /// A controller that has as many links as it supports makes no other: all requests that wait are refused.
    private mutating func noteRefusal(_ status: HCIStatus) {
        if status == .limitExceeded || status == .limitedResources {
            refuseAll(.tooManyLinks(adapter: name))
        } else if status != .success, status != .disallowed, status != .unknownConnection {
            emit(.note("\(name) does not connect: \(status)"))
        }
    }

    private mutating func apply(_ event: HCIEvent, at now: Duration) {
        switch event {
        case .connectionComplete(let status, let handle, let peer, _, _):
            connector.noteEnd(status, at: now)
            noteRefusal(status)
            guard status == .success else { return }
            if links[handle] != nil { drop(handle, .unknownConnection) }
            table.note(event)
            begin(handle, with: peer)
        case .disconnectionComplete(let handle, let reason): drop(handle, reason)
        case .connectionUpdate: noteUpdate(event)
        case .phyUpdate(let status, let handle, _):
            table.note(event)
            noteTuned(Opcode.setPHY, status, of: handle)
        case .dataLengthChange: table.note(event)
        case .commandComplete, .commandStatus, .other: break
        }
    }
}
