public import Bluetooth

extension SimulatedBeacon {
    /// Serves one link until either side ends it; a beacon that is not up, or already has a link, ends it at once.
    /// `answer` receives whether the link was accepted.
    public func serve(_ bearer: some Bearer, answering answer: OneShot<Bool>? = nil) async {
        guard faults.hasAttributeFaults else { return await pump(bearer, beside: nil, answering: answer) }
        let lying = FaultyBearer(bearer, time: time) { [weak self] in await self?.faults.attributeFaults ?? []
        }
        await pump(lying, beside: { await lying.flood() }, answering: answer)
    }

    private func pump(
        _ bearer: some Bearer, beside flood: (@Sendable () async -> Void)?,
        answering answer: OneShot<Bool>?
    ) async {
        let (deliveries, outgoing) = AsyncStream.makeStream(of: DeliverySchedule.Delivery.self)
        let taken = connect(outgoing)
        answer?.settle(taken != nil)
        guard let number = taken else { return bearer.close() }
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                group.addTask { await Self.deliver(deliveries, over: bearer) }
                group.addTask { await self.loseReach(number) }
                if let flood { group.addTask { await flood() } }
                while let packet = try? await bearer.receive() {
                    guard let moment = receive(packet, on: number) else { continue }
                    group.addTask { await self.flushClaimed(number, at: moment) }
                }
                outgoing.finish()
                bearer.close()
                group.cancelAll()
            }
        } onCancel: {
            bearer.close()
        }
        disconnect(number)
    }

    /// Delivers what is due at `moment` and after that.
    func flushLater(_ number: Int, at moment: Duration) async {
        let time = time
        var next: Duration? = moment
        while let moment = next, (try? await time.sleep(until: moment)) != nil { next = flush(number) }
    }

    /// The same for a claimed moment. It ends if another task of the link has claimed the next one: otherwise a device
    /// that always has something due would have one waiting task for each packet ever received.
    private func flushClaimed(_ number: Int, at moment: Duration) async {
        let time = time
        var next: Duration? = moment
        while let moment = next, (try? await time.sleep(until: moment)) != nil {
            if link?.number == number, link?.awaited == moment { link?.awaited = nil }
            next = flushAndClaim(number)
        }
    }

    /// How long the two ends of a link miss each other before it ends: the supervision timeout of update links.
    private static var supervisionTimeout: Duration { .seconds(6) }

    /// Ends the link if the beacon is out of reach for so long that both ends give up.
    private func loseReach(_ number: Int) async {
        let (time, begun) = (time, begun)
        guard let moment = faults.nextAbsence(after: time.now - begun, of: Self.supervisionTimeout),
            (try? await time.sleep(until: begun + moment)) != nil, link?.number == number
        else { return }
        link?.isSilent = true
        guard (try? await time.sleep(for: Self.supervisionTimeout)) != nil, link?.number == number else {
            return
        }
        link?.cut()
    }

    /// The only sender of a link, so that packets leave in order; it ends the link on request or when it fails.
    private static func deliver(
        _ deliveries: AsyncStream<DeliverySchedule.Delivery>, over bearer: some Bearer
    ) async {
        for await delivery in deliveries {
            guard case .send(let packet) = delivery, (try? await bearer.send(packet)) != nil else { break }
        }
        bearer.close()
    }
}
