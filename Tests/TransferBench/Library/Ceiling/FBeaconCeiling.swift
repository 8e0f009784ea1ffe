public import Simulation

/// The time that a perfect sender of an open container takes, in named terms (docs/performance.md): from the first
/// packet to the answer to the last one.
///
/// It fills each connection event, continues in the first one after each answer, and uses no time of its own.
public struct FBeaconCeiling: Hashable, Sendable {
    /// The events that carry packets, without the one for each packet that carries its answer.
    public let air: Duration
    /// The two intervals of each answer: the next packet goes out in the next event.
    public let answers: Duration
    /// The time that erasing and writing add.
    public let flash: Duration
    /// Bytes of the payload.
    public let image: Int

    /// From the first packet to the last answer.
    public var total: Duration { air + answers + flash }
    /// The payload by `total`.
    public var bytesPerSecond: Double { Double(image) / (total / .seconds(1)) }

    /// The ceiling for `payload` over a link without losses; nil if the receiver would not accept it.
    public init?(of payload: [UInt8], over link: LinkModel, to description: FBeaconDescription) {
        var instant = description
        instant.timing = .instant
        var real = PerfectFBeaconSender(link, description)
        var quick = PerfectFBeaconSender(link, instant)
        guard real.send(payload), quick.send(payload) else { return nil }
        air = quick.carrying
        answers = quick.now - quick.carrying
        flash = real.now - quick.now
        image = payload.count
    }
}
