public import GATT
public import Timing

extension SUOTABeacon {
    /// The longest packet of a channel to `psm`; nil where none is taken now.
    public func channelMTU(psm: UInt16) -> Int? {
        let now = time.now
        catchUp(to: now)
        guard let link, !link.isCut, link.endChannel == nil, !faults.refusesChannel, receiver.listens(on: psm)
        else { return nil }
        return description.personality.channelMTU
    }

    /// Serves a channel that belongs to the link that is there: it ends with it.
    ///
    /// The next packet is taken when flash is done with the one before, so that a sender finds the channel full
    /// as it would without credits.
    public func serveChannel(
        _ bearer: some Bearer, psm: UInt16, answering answer: Rendezvous<Bool>? = nil
    ) async {
        guard channelMTU(psm: psm) != nil, let number = link?.number else {
            answer?.settle(false)
            return bearer.close()
        }
        counted.channels += 1
        link?.endChannel = { bearer.close() }
        answer?.settle(true)
        let time = time
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                while let packet = try? await bearer.receive() {
                    guard let free = receiveChannel(packet, on: number) else { break }
                    if let moment = flush(number) {
                        group.addTask { await self.flushLater(number, at: moment) }
                    }
                    guard free > time.now else { continue }
                    guard (try? await time.sleep(until: free)) != nil else { break }
                }
                bearer.close()
            }
        } onCancel: {
            bearer.close()
        }
        if link?.number == number { link?.endChannel = nil }
    }

    /// When the next packet may come; nil when there is none to wait for.
    private func receiveChannel(_ packet: [UInt8], on number: Int) -> Duration? {
        let now = time.now
        catchUp(to: now)
        guard let link, link.number == number, !link.isCut else { return nil }
        guard packet.count <= description.personality.channelMTU else { return nil }
        guard isProcessed(faults.channelArrival()) else { return now }
        for reaction in receiver.channel(packet, at: now).reactions { perform(reaction, at: now) }
        showValues()
        endings(at: now)
        return receiver.idle(at: now)
    }
}
