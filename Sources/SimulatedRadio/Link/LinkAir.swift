import Synchronization

/// The air of one link, which all of its channels share.
final class LinkAir: Sendable {
    private let model: Mutex<LinkModel>
    let toPeripheral: Mutex<ConnectionEvents>
    let toCentral: Mutex<ConnectionEvents>

    init(_ model: LinkModel) {
        self.model = Mutex(model)
        toPeripheral = Mutex(ConnectionEvents(model))
        toCentral = Mutex(ConnectionEvents(model, direction: 1))
    }

    /// Time from one connection event to the next.
    var interval: Duration { model.withLock { $0.interval } }

    /// Gives the link another interval, if it follows requests; what is under way arrives as it was to.
    func retune(_ interval: Duration) {
        let changed = model.withLock { model -> LinkModel? in
            let before = model
            model = model.asked(interval)
            return model == before ? nil : model
        }
        guard let changed else { return }
        toPeripheral.withLock { $0 = ConnectionEvents(changed) }
        toCentral.withLock { $0 = ConnectionEvents(changed, direction: 1) }
    }
}
