import Bluetooth

extension FBeaconDevice {
    /// Starts a link.
    public mutating func connect(at now: Duration) -> AttributeServer {
        session = FBeaconSession(description.access)
        return AttributeServer(.fbeacon(description, advertiser), maximumMTU: description.maximumMTU)
    }

    /// Processes a packet. The first central that subscribes to FFF1 starts the transfer that the device waits for.
    public mutating func receive(
        _ packet: [UInt8], by server: inout AttributeServer, at now: Duration
    ) -> [BeaconReaction] {
        let outcome = server.receive(packet)
        var reactions = outcome.answer.map { [BeaconReaction.send($0, at: now)] } ?? []
        if let (value, uuid) = outcome.event?.write, uuid == AttributeTable.fbeaconCommands {
            reactions += take(value, by: server, at: now)
        }
        if case .waiting = phase, server.sendsAnswers {
            phase = .transfer
            receiver.begin(restoringSettings: restoresSettings, at: now)
        }
        return reactions
    }

    private mutating func take(
        _ value: [UInt8], by server: AttributeServer, at now: Duration
    ) -> [BeaconReaction] {
        guard value.count <= server.agreedMTU - 3 else { return note(.writeTooLong) }
        switch phase {
        case .commands:
            if !server.sendsAnswers { _ = note(.unsubscribed) }
            return talk(value, by: server, at: now)
        case .leaving: return note(.bytesBeforeReconnect)
        case .waiting: return note(.unsubscribed)
        case .transfer: return carryOut(receiver.take(value, at: now))
        }
    }

    /// Records a client error that has no response.
    mutating func note(_ error: FBeaconClientError) -> [BeaconReaction] {
        receiver.record.clientErrors.append(error)
        return []
    }

    private func carryOut(_ reactions: [FirmwareReaction]) -> [BeaconReaction] {
        reactions.map {
            switch $0 {
            case .notify(let value, let due):
                .notify(value, from: AttributeTable.fbeaconAnswers, mayIndicate: false, at: due)
            case .disconnect(let due): .disconnect(at: due)
            case .reset(let due): .reset(at: due)
            }
        }
    }

    /// When the receiver next polls, or gives up.
    public var announcementDue: Duration? { receiver.deadline }

    /// Lets the receiver poll or give up.
    public mutating func announce(by server: inout AttributeServer, at now: Duration) -> [BeaconReaction] {
        carryOut(receiver.tick(at: now))
    }
}

extension AttributeServer {
    /// Whether a client has subscribed to the beacon's responses.
    fileprivate var sendsAnswers: Bool {
        configurations[AttributeTable.fbeaconAnswers, default: 0] & 1 != 0
    }
}
