import Bluetooth

extension SimulatedBeacon {
    /// Reports to `watcher` what clients do from now on, in order.
    public func watch(_ watcher: @escaping @Sendable (ClientAct) -> Void) {
        watch = ClientWatch(tell: watcher, rulesTold: device.brokenRules.count)
    }

    /// Runs `body`, in which the device processes `bytes`, which may be image data.
    func taking<Value>(_ bytes: [UInt8], _ body: () -> Value) -> Value {
        guard watch != nil else { return body() }
        let before = (accepted: device.acceptedBytes, dropped: device.droppedPackets)
        defer {
            let data = link?.server.news?.write?.value ?? bytes
            watch?.note(data, accepted: before.accepted, device.acceptedBytes)
            let dropped = device.droppedPackets - before.dropped
            if dropped > 0 { watch?.tell(.dropped(packets: dropped)) }
        }
        return body()
    }

    /// Reports what the client has just done.
    func tellNews() {
        guard let watch else { return }
        switch link?.server.news {
        case .exchangedMTU(let asked, let agreed):
            watch.tell(.exchangedMTU(asked: asked, agreed: agreed))
        case .subscribed(let uuid, let bits): watch.tell(.subscribed(uuid, bits: bits))
        case .wrote(let value, let uuid):
            switch device.meaning(of: value, to: uuid) {
            case .request(let request): watch.tell(.requested(request))
            case .data: watch.tell(.sent(bytes: value.count))
            }
        case .refused(let code): watch.tell(.refused(code: code))
        case nil: break
        }
        if let rule = link?.server.brokenRule { watch.tell(.broke(rule.broken)) }
        tellRules()
    }

    /// Reports the rules that the device has newly seen broken.
    func tellRules() {
        let rules = device.brokenRules
        guard let told = watch?.rulesTold, told < rules.count else { return }
        for rule in rules[told...] { watch?.tell(.broke(rule)) }
        watch?.rulesTold = rules.count
    }

    /// Reports an update that has just been accepted.
    func tellCompletion() {
        guard watch != nil else { return }
        if let update = watch?.completion(device.completedUpdate(at: time.now)) {
            watch?.tell(.completed(update))
        }
    }
}
