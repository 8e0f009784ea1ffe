public import Bluetooth

extension SimulatedBeacon {
    private func offer(to psm: UInt16) -> ChannelOffer? {
        catchUp(to: time.now)
        guard let link, !link.isCut, link.endChannel == nil else { return nil }
        return device.channel(to: psm)
    }

    /// The longest packet of a channel to `psm`; nil if none is accepted now.
    public func channelMTU(psm: UInt16) -> Int? { offer(to: psm)?.maximumPacket }

    /// Serves a channel over the current link, and ends with it.
    ///
    /// A packet is read from the air if there is a credit for it. It waits in a buffer until flash has finished the
    /// previous ones, and its credit returns when it leaves the buffer (Core, Vol 3, Part A, 10.1).
    public func serveChannel(
        _ bearer: some Bearer, psm: UInt16, answering answer: OneShot<Bool>? = nil
    ) async {
        guard let offer = offer(to: psm), let number = link?.number else {
            answer?.settle(false)
            return bearer.close()
        }
        channels += 1
        watch?.tell(.openedChannel(psm: psm))
        link?.endChannel = { bearer.close() }
        answer?.settle(true)
        let (credits, given) = AsyncStream.makeStream(of: Void.self)
        for _ in 0..<offer.credits { given.yield() }
        let (buffer, arriving) = AsyncStream.makeStream(of: [UInt8].self)
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                group.addTask { await self.fill(arriving, from: bearer, by: credits, offer, on: number) }
                for await packet in buffer {
                    guard await flashIsIdle() else { break }
                    given.yield()
                    guard takeFromChannel(packet, on: number) else { break }
                    if let moment = flush(number) {
                        group.addTask { await self.flushLater(number, at: moment) }
                    }
                }
                given.finish()
                bearer.close()
            }
        } onCancel: {
            bearer.close()
        }
        if link?.number == number { link?.endChannel = nil }
    }

    /// Reads packets from the air, one for each credit.
    private func fill(
        _ buffer: AsyncStream<[UInt8]>.Continuation, from bearer: some Bearer, by credits: AsyncStream<Void>,
        _ offer: ChannelOffer, on number: Int
    ) async {
        for await _ in credits {
            guard let packet = try? await bearer.receive(), packet.count <= offer.maximumPacket,
                let isProcessed = arrive(on: number)
            else { break }
            buffer.yield(isProcessed ? packet : [])
        }
        buffer.finish()
    }

    /// Waits until flash is idle; returns false if the beacon is gone by then.
    private func flashIsIdle() async -> Bool {
        while true {
            let moment = device.flash.idle(at: time.now)
            guard moment > time.now else { return true }
            guard (try? await time.sleep(until: moment)) != nil else { return false }
        }
    }

    /// A packet arrives from the air: returns whether to process it; nil ends the channel.
    private func arrive(on number: Int) -> Bool? {
        let now = time.now
        catchUp(to: now)
        guard let link, link.number == number, !link.isCut else { return nil }
        let isProcessed = isProcessed(faults.channelArrival(at: now))
        endPacket(at: now)
        return isProcessed
    }

    /// A packet leaves the buffer: returns whether its link is still up.
    private func takeFromChannel(_ packet: [UInt8], on number: Int) -> Bool {
        let now = time.now
        catchUp(to: now)
        guard let current = link, current.number == number, !current.isCut else { return false }
        guard !packet.isEmpty else { return true }
        link?.server.forgetNews()
        watch?.tell(.sent(bytes: packet.count))
        taking(packet) { react { device.receiveOverChannel(packet, by: &$0, at: now) } }
        endStep(at: now)
        return true
    }
}
