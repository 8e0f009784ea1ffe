import Bytes
import Synchronization

/// A client of one peripheral's attributes, over one bearer.
///
/// One request at a time; each has the 30 s of Vol 3, Part F, 3.3.3, after which the bearer is closed. The
/// peer's own requests are answered: the MTU, and "not supported" for the rest. `run` is the receive loop: it
/// has to run while the client is used, and ends with the link.
public actor ATTClient {
    /// How long a peer may take to answer (Vol 3, Part F, 3.3.3).
    package static let transactionLimit = Duration.seconds(30)
    /// The MTU that we request and offer: the longest attribute value and its header.
    static let offeredMTU: UInt16 = 517
    static let defaultMTU = 23

    let bearer: any Bearer
    let time: Timekeeper
    /// The MTU that both ends agreed on. If a peer sends two, the smaller: longer packets would be cut short.
    public private(set) var mtu = ATTClient.defaultMTU
    private var hasAgreed = false
    let pending = Mutex(PendingRequest())  // outside the actor, so that a cancellation settles it at once
    let turns = FIFOLock()
    var isOver = false
    var queues: [UInt16: NotificationQueue] = [:]
    var services: [ServiceDeclaration]?
    var characteristics: [BluetoothUUID: [CharacteristicDeclaration]] = [:]

    package typealias Encryption = @Sendable () async throws(EncryptionError) -> Void
    private let encrypt: Encryption?
    private var isEncrypted = false

    /// A client on `bearer`, which the caller closes. A request that the peer refuses without encryption is
    /// repeated after `encrypt`.
    package init(bearer: any Bearer, time: Timekeeper, encrypting encrypt: Encryption? = nil) {
        self.bearer = bearer
        self.time = time
        self.encrypt = encrypt
    }

    package func run() async {
        while let packet = try? await bearer.receive() {
            var reader = ByteReader(packet)
            // A packet too short to be parsed is ignored; its sender will time out or repeat it.
            guard let arrival = try? ATTArrival(parsing: &reader) else { continue }
            await take(arrival)
        }
        isOver = true
        pending.withLock { _ = $0.settle(.disconnected) }
        for queue in queues.values { queue.end() }
    }

    private func take(_ arrival: ATTArrival) async {
        switch arrival {
        case .answer(let opcode, let parameters):
            pending.withLock { _ = $0.settle(.answer(opcode, parameters)) }
        case .refusal(let request, let handle, let status):
            pending.withLock {
                if $0.opcode == request { _ = $0.settle(.refusal(status, handle: handle)) }
            }
        case .notification(let handle, let value): queues[handle]?.put(value)
        case .indication(let handle, let value):
            queues[handle]?.put(value)
            try? await bearer.send([ATTOpcode.confirmation.rawValue])
        case .request(let opcode, let parameters):
            try? await bearer.send(reply(to: opcode, parameters))
        case .ignored: break
        }
    }

    /// The replies of a client without attributes (Vol 3, Part F, 3.4).
    private func reply(to opcode: ATTOpcode, _ parameters: [UInt8]) -> [UInt8] {
        var reader = ByteReader(parameters)
        switch opcode {
        case .exchangeMTURequest:
            guard let theirs: UInt16 = try? reader.integer("client MTU") else {
                return refusal(of: opcode, 0, .invalidPDU)
            }
            agree(on: theirs)
            var writer = ByteWriter([ATTOpcode.exchangeMTUResponse.rawValue])
            writer.integer(Self.offeredMTU)
            return writer.bytes
        case .findInformationRequest, .findByTypeValueRequest, .readByTypeRequest, .readByGroupTypeRequest:
            guard let handle: UInt16 = try? reader.integer("starting handle") else {
                return refusal(of: opcode, 0, .invalidPDU)
            }
            return refusal(of: opcode, handle, .attributeNotFound)
        default: return refusal(of: opcode, 0, .requestNotSupported)
        }
    }

    private func refusal(of opcode: ATTOpcode, _ handle: UInt16, _ status: ATTStatus) -> [UInt8] {
        var writer = ByteWriter([ATTOpcode.errorResponse.rawValue, opcode.rawValue])
        writer.integer(handle)
        writer.integer(status.rawValue)
        return writer.bytes
    }

    /// Agrees on the largest MTU that both ends support. Once per connection (Vol 3, Part F, 3.4.2.1); a peer
    /// that supports no MTU but 23 may refuse.
    package func exchangeMTU() async throws(GATTError) {
        let theirs: UInt16
        do throws(GATTError) {
            theirs = try await perform(ExchangeMTU(mtu: Self.offeredMTU), "agreeing on the MTU")
        } catch {
            if case .refused = error { return }
            throw error
        }
        agree(on: theirs)
    }

    private func agree(on theirs: UInt16) {
        let said = max(Self.defaultMTU, Int(min(theirs, Self.offeredMTU)))
        mtu = hasAgreed ? min(mtu, said) : said
        hasAgreed = true
    }

    /// Sends `request` after the earlier ones, and waits for its answer.
    ///
    /// Cancelled before it is sent, it has no effect; cancelled later, it ends the link.
    func perform<Request: ATTRequest>(
        _ request: Request, _ step: String
    ) async throws(GATTError) -> Request.Answer {
        do { try await turns.take() } catch { throw .cancelled }
        defer { turns.pass() }
        do throws(GATTError) { return try await exchange(request, step) } catch {
            guard case .refused(let status, _, _) = error, status.asksForEncryption, !isEncrypted,
                let encrypt
            else { throw error }
            do throws(EncryptionError) { try await encrypt() } catch {
                throw Task.isCancelled ? .cancelled : .notEncrypted(reason: error.reason, during: step)
            }
            isEncrypted = true
            return try await exchange(request, step)
        }
    }

    private func exchange<Request: ATTRequest>(
        _ request: Request, _ step: String
    ) async throws(GATTError) -> Request.Answer {
        guard !Task.isCancelled else { throw .cancelled }
        guard !isOver else { throw .disconnected }
        pending.withLock { $0.begin(Request.opcode) }
        defer { pending.withLock { $0.abandon() } }
        switch try await ending(of: request.bytes, step) {
        case .disconnected: throw .disconnected
        case .cancelled: throw .cancelled
        case .timedOut: throw .transactionTimeout(during: step)
        case .refusal(let status, let handle): throw .refused(status, handle: handle, during: step)
        case .answer(Request.answerOpcode, let parameters):
            var reader = ByteReader(parameters[...], startingAt: 1)
            do throws(ByteError) { return try request.answer(parsing: &reader) } catch {
                throw .malformed(error, during: step)
            }
        case .answer(let opcode, _):
            bearer.close()
            throw .unexpectedAnswer(opcode: opcode.rawValue, during: step)
        }
    }

    /// The limit counts from when the request is handed over: a peer that takes nothing off the link does not
    /// answer either.
    private func ending(of packet: [UInt8], _ step: String) async throws(GATTError) -> PendingRequest.Ending {
        let number = pending.withLock { $0.number }
        let alarm = time.alarm(after: Self.transactionLimit) { [self] in
            if pending.withLock({ $0.expire(number) }) { bearer.close() }
        }
        defer { alarm.stop() }
        do throws(BearerError) { try await bearer.send(packet) } catch {
            guard !pending.withLock({ $0.isOverdue }) else { throw .transactionTimeout(during: step) }
            guard error == .cancelled else { throw GATTError(error) }
            bearer.close()
            throw .cancelled
        }
        let ending = await settled()
        switch ending {
        case .timedOut: throw .transactionTimeout(during: step)
        case .cancelled:
            // The answer may still arrive; without this link it cannot be taken for another request's.
            bearer.close()
            throw .cancelled
        default: return ending
        }
    }

    private func settled() async -> PendingRequest.Ending {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                pending.withLock {
                    $0.await(waiter)
                    if Task.isCancelled { $0.settle(.cancelled) }
                }
            }
        } onCancel: {
            pending.withLock { _ = $0.settle(.cancelled) }
        }
    }
}

extension GATTError {
    init(_ error: BearerError) {
        self =
            switch error {
            case .closed: .disconnected
            case .cancelled: .cancelled
            case .system: .bearer(error)
            }
    }
}

extension ATTClient: GATTClient {
    /// The longest value there is (Vol 3, Part F, 3.2.9); bytes beyond that are ignored.
    private static let longestValue = 512
    /// Errors that peers send instead of an empty blob; any other error would cut a value short.
    private static let endsOfValue: Set<ATTStatus> = [
        .attributeNotLong, .invalidOffset, .requestNotSupported,
    ]

    /// Whether the peripheral has `characteristic`.
    public func offers(_ characteristic: Characteristic) async throws(GATTError) -> Bool {
        try await discoverCharacteristics(of: characteristic.service)
            .contains { $0.characteristic == characteristic }
    }

    /// The whole value, in as many packets as needed (Vol 3, Part G, 4.8.1 and 4.8.3).
    public func read(_ source: Characteristic) async throws(GATTError) -> [UInt8] {
        try await read(at: try await declaration(of: source).valueHandle, of: source.uuid)
    }

    /// The whole value at `handle`, which belongs to `uuid`: for descriptors, and for characteristics that
    /// occur several times in a service.
    public func read(at handle: UInt16, of uuid: BluetoothUUID) async throws(GATTError) -> [UInt8] {
        var value = try await perform(ReadAttribute(handle: handle), "reading \(uuid)")
        while value.count.isMultiple(of: mtu - 1), !value.isEmpty, value.count < Self.longestValue {
            let blob = ReadBlob(handle: handle, offset: UInt16(value.count))
            do throws(GATTError) {
                let more = try await perform(blob, "reading \(uuid)")
                if more.isEmpty { break }
                value += more
            } catch {
                // A value that exactly fills the packet: some peers refuse the next read.
                guard case .refused(let status, _, _) = error, Self.endsOfValue.contains(status) else {
                    throw error
                }
                break
            }
        }
        return Array(value.prefix(Self.longestValue))
    }

    /// Writes and waits for the acknowledgement.
    public func write(_ value: [UInt8], to target: Characteristic) async throws(GATTError) {
        let handle = try await declaration(of: target).valueHandle
        try await perform(WriteAttribute(handle: handle, value: value), "writing \(target.uuid)")
    }

    /// Writes without acknowledgement; waits only for space in the send queue.
    public func send(_ value: [UInt8], to target: Characteristic) async throws(GATTError) {
        let header = try await commandHeader(target)
        do throws(BearerError) { try await bearer.send(header + value) } catch { throw GATTError(error) }
    }

    /// The same with all of `bytes`: an update sends some thousand packets, so work that is done once for
    /// several of them matters.
    public func send(
        _ bytes: ArraySlice<UInt8>, inWritesOf length: Int, to target: Characteristic
    ) async throws(GATTError) {
        let header = try await commandHeader(target)
        do throws(BearerError) { try await bearer.send(bytes, inPacketsOf: length, after: header) } catch {
            throw GATTError(error)
        }
    }

    /// The header of a Write Command to `target` (Vol 3, Part F, 3.4.5.3).
    private func commandHeader(_ target: Characteristic) async throws(GATTError) -> [UInt8] {
        let declaration = try await declaration(of: target)
        guard declaration.properties.contains(.writeWithoutResponse) else {
            throw .unsuitable(target, needs: "write without response")
        }
        let handle = declaration.valueHandle
        return [ATTOpcode.writeCommand.rawValue, UInt8(handle & 0xFF), UInt8(handle >> 8)]
    }

    /// Turns notifications on, or indications if there are no notifications.
    public func notifications(from source: Characteristic) async throws(GATTError) -> NotificationQueue {
        let declaration = try await declaration(of: source)
        let bits: [UInt8]
        if declaration.properties.contains(.notify) {
            bits = [1, 0]
        } else if declaration.properties.contains(.indicate) {
            bits = [2, 0]
        } else {
            throw .unsuitable(source, needs: "notifications")
        }
        guard let configuration = try await configurationHandle(of: declaration) else {
            throw .unsuitable(source, needs: "a client configuration descriptor")
        }
        let queue = queues[declaration.valueHandle] ?? NotificationQueue()
        queues[declaration.valueHandle] = queue
        if isOver { queue.end() }
        try await perform(
            WriteAttribute(handle: configuration, value: bits), "enabling notifications of \(source.uuid)")
        return queue
    }
}
