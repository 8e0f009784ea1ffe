import Synchronization

/// The air of one link, which all of its channels share.
final class LinkAir: Sendable {
    let model: LinkModel
    let toPeripheral: Mutex<ConnectionEvents>
    let toCentral: Mutex<ConnectionEvents>

    init(_ model: LinkModel) {
        self.model = model
        toPeripheral = Mutex(ConnectionEvents(model))
        toCentral = Mutex(ConnectionEvents(model, direction: 1))
    }
}
