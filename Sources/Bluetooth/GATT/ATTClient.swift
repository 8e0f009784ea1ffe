import Bytes
import Synchronization

/// A client of one peripheral's attributes, over one bearer.
///
/// It sends one request at a time. If the answer takes longer than 30 s (Vol 3, Part F, 3.3.3), the bearer is
/// closed. The peer's own requests are answered: with our MTU, and with an error if they ask for anything else.
/// `run` is the receive loop: it has to run while the client is used, and ends with the link.
public actor ATTClient {
    /// How long a peer may take to answer (Vol 3, Part F, 3.3.3).
    package static let transactionLimit = Duration.seconds(30)
    /// The MTU that we request and offer: the longest attribute value, 512 bytes, and the longest header, 5 bytes.
    static let largestMTU: UInt16 = 517
    static let defaultMTU = 23

    let bearer: any Bearer
    let time: Timekeeper
    /// The MTU that both ends agreed on. If a peer sends two, the smaller one counts: longer packets may be truncated.
    public private(set) var mtu = ATTClient.defaultMTU
    private var hasAgreed = false
    private var offeredMTU = ATTClient.largestMTU
    /// The one request that may be pending (Vol 3, Part F, 3.3.2).
    private let pending = Mutex<(opcode: ATTOpcode, outcome: OneShot<Outcome>)?>(nil)
    let requestLock = FIFOLock()
    var isOver = false
    var queues: [UInt16: NotificationQueue] = [:]
    var services: [ServiceDeclaration]?
    var characteristics: [BluetoothUUID: [CharacteristicDeclaration]] = [:]

    package typealias Encryption = @Sendable () async throws(EncryptionError) -> Void
    private let encrypt: Encryption?
    private var isEncrypted = false

    /// The outcome of a request, unless its task is cancelled.
    private enum Outcome: Sendable {
        case answer(ATTOpcode, [UInt8])
        case refusal(ATTStatus, handle: UInt16)
        case disconnected, timedOut
    }

    /// A client on `bearer`, which the caller closes. A request that the peer refuses without encryption is
    /// repeated after `encrypt`.
    package init(bearer: any Bearer, time: Timekeeper, encrypting encrypt: Encryption? = nil) {
        (self.bearer, self.time, self.encrypt) = (bearer, time, encrypt)
    }

    package func run() async {
        while let packet = try? await bearer.receive() {
            var reader = ByteReader(packet)
            // A packet too short to be parsed is ignored; its sender will time out or repeat it.
            guard let incoming = try? IncomingATTPacket(parsing: &reader) else { continue }
            await handle(incoming)
        }
        isOver = true
        endRequest(.disconnected)
        for queue in queues.values { queue.end() }
    }

    private func handle(_ packet: IncomingATTPacket) async {
        switch packet {
        case .answer(let opcode, let parameters):
            endRequest(.answer(opcode, parameters))
        case .refusal(let request, let handle, let status):
            if pending.withLock({ $0?.opcode == request }) { endRequest(.refusal(status, handle: handle)) }
        case .notification(let handle, let value): queues[handle]?.put(value)
        case .indication(let handle, let value):
            queues[handle]?.put(value)
            try? await bearer.send([ATTOpcode.confirmation.rawValue])
        case .request(let opcode, let parameters):
            try? await bearer.send(reply(to: opcode, parameters))
        case .ignored: break
        }
    }

    private func endRequest(_ outcome: Outcome) { pending.withLock { $0?.outcome }?.resolve(outcome) }

    /// The replies of a client without attributes (Vol 3, Part F, 3.4).
    private func reply(to opcode: ATTOpcode, _ parameters: [UInt8]) -> [UInt8] {
        var reader = ByteReader(parameters)
        switch opcode {
        case .exchangeMTURequest:
            guard let theirs: UInt16 = try? reader.integer("client MTU") else {
                return refusal(of: opcode, 0, .invalidPDU)
            }
            agree(on: theirs)
            return [ATTOpcode.exchangeMTUResponse.rawValue] + offeredMTU.bytes()
        case .findInformationRequest, .findByTypeValueRequest, .readByTypeRequest, .readByGroupTypeRequest:
            guard let handle: UInt16 = try? reader.integer("starting handle") else {
                return refusal(of: opcode, 0, .invalidPDU)
            }
            return refusal(of: opcode, handle, .attributeNotFound)
        default: return refusal(of: opcode, 0, .requestNotSupported)
        }
    }

    private func refusal(of opcode: ATTOpcode, _ handle: UInt16, _ status: ATTStatus) -> [UInt8] {
        [ATTOpcode.errorResponse.rawValue, opcode.rawValue] + handle.bytes() + [status.rawValue]
    }

    /// Agrees on the largest MTU that both ends support. Allowed once per connection (Vol 3, Part F, 3.4.2.1); a peer
    /// that supports no MTU but 23 may refuse. With `length`, packets carry at most that many bytes after their header
    /// of 3 bytes, but 20 are always allowed.
    package func exchangeMTU(atMost length: Int? = nil) async throws(GATTError) {
        if let length {
            offeredMTU = UInt16(clamping: min(max(length + 3, Self.defaultMTU), Int(Self.largestMTU)))
        }
        let theirs: UInt16
        do throws(GATTError) {
            theirs = try await perform(.exchangeMTU(offeredMTU), "agreeing on the MTU")
        } catch {
            if case .refused = error { return }
            throw error
        }
        agree(on: theirs)
    }

    private func agree(on theirs: UInt16) {
        let common = max(Self.defaultMTU, Int(min(theirs, offeredMTU)))
        mtu = hasAgreed ? min(mtu, common) : common
        hasAgreed = true
    }

    /// Sends `request` after the earlier ones, and waits for its answer.
    ///
    /// If the task is cancelled before the request is sent, nothing is sent; if it is cancelled later, the link ends.
    /// `step` is read only for an error: an update writes hundreds of requests.
    func perform<Answer>(
        _ request: ATTRequest<Answer>, _ step: @autoclosure () -> String
    ) async throws(GATTError) -> Answer {
        do { try await requestLock.acquire() } catch { throw .cancelled }
        defer { requestLock.release() }
        do throws(GATTError) { return try await exchange(request, step) } catch {
            guard case .refused(let status, _, _) = error, status.asksForEncryption, !isEncrypted,
                let encrypt
            else { throw error }
            do throws(EncryptionError) { try await encrypt() } catch {
                throw Task.isCancelled ? .cancelled : .notEncrypted(reason: error.reason, during: step())
            }
            isEncrypted = true
            return try await exchange(request, step)
        }
    }

    /// Sends `request` and waits for its answer. The time limit includes the sending, so it also covers a peer that
    /// accepts no packets.
    private func exchange<Answer>(
        _ request: ATTRequest<Answer>, _ step: () -> String
    ) async throws(GATTError) -> Answer {
        guard !Task.isCancelled else { throw .cancelled }
        guard !isOver else { throw .disconnected }
        let outcome = OneShot<Outcome>()
        pending.withLock { $0 = (request.opcode, outcome) }
        defer {
            pending.withLock { $0 = nil }
            outcome.resolve(nil)
        }
        let alarm = time.alarm(after: Self.transactionLimit) { [bearer] in
            if outcome.resolveFirst(.timedOut) { bearer.close() }
        }
        defer { alarm.stop() }
        do throws(BearerError) { try await bearer.send(request.bytes) } catch {
            if case .timedOut? = outcome.arrived { throw .transactionTimeout(during: step()) }
            guard error == .cancelled else { throw GATTError(error) }
            bearer.close()
            throw .cancelled
        }
        switch await outcome.value() {
        case nil:
            // The answer may still arrive. With the link closed, it cannot be taken for a later request's answer.
            bearer.close()
            throw .cancelled
        case .disconnected: throw .disconnected
        case .timedOut: throw .transactionTimeout(during: step())
        case .refusal(let status, let handle): throw .refused(status, handle: handle, during: step())
        case .answer(request.answerOpcode, let parameters):
            var reader = ByteReader(parameters[...], startingAt: 1)
            do throws(ByteError) { return try request.answer(&reader) } catch {
                throw .malformed(error, during: step())
            }
        case .answer(let opcode, _):
            bearer.close()
            throw .unexpectedAnswer(opcode: opcode.rawValue, during: step())
        }
    }
}

extension GATTError {
    init(_ error: BearerError) {
        self =
            switch error {
            case .closed: .disconnected
            case .cancelled: .cancelled
            case .system(let call, let errno): .system(call: call, errno: errno)
            }
    }
}

extension ATTClient: GATTClient {
    /// The longest value there is (Vol 3, Part F, 3.2.9); bytes beyond that are ignored.
    private static let longestValue = 512
    /// Errors that peers send instead of an empty blob, at the end of a value. After any other error the value may be
    /// incomplete.
    private static let endsOfValue: Set<ATTStatus> = [
        .attributeNotLong, .invalidOffset, .requestNotSupported,
    ]

    public func offers(_ characteristic: Characteristic) async throws(GATTError) -> Bool {
        try await discoverCharacteristics(of: characteristic.service)
            .contains { $0.characteristic == characteristic }
    }

    /// The whole value, in as many packets as needed (Vol 3, Part G, 4.8.1 and 4.8.3).
    public func read(_ source: Characteristic) async throws(GATTError) -> [UInt8] {
        try await read(at: try await declaration(of: source).valueHandle, of: source.uuid)
    }

    public func read(at handle: UInt16, of uuid: BluetoothUUID) async throws(GATTError) -> [UInt8] {
        var value = try await perform(.read(handle), "reading \(uuid)")
        while value.count.isMultiple(of: mtu - 1), !value.isEmpty, value.count < Self.longestValue {
            do throws(GATTError) {
                let more = try await perform(.readBlob(handle, from: UInt16(value.count)), "reading \(uuid)")
                if more.isEmpty { break }
                value += more
            } catch {
                // If a value exactly fills the packet, some peers refuse the next read.
                guard case .refused(let status, _, _) = error, Self.endsOfValue.contains(status) else {
                    throw error
                }
                break
            }
        }
        return Array(value.prefix(Self.longestValue))
    }

    public func write(_ value: [UInt8], to target: Characteristic) async throws(GATTError) {
        let handle = try await declaration(of: target).valueHandle
        try await perform(.write(value, to: handle), "writing \(target.uuid)")
    }

    public func send(_ value: [UInt8], to target: Characteristic) async throws(GATTError) {
        let header = try await commandHeader(target)
        do throws(BearerError) { try await bearer.send(header + value) } catch { throw GATTError(error) }
    }

    /// Sends all of `bytes` in writes of `length` bytes. The header is prepared only once, since an update sends
    /// thousands of packets.
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
        return [ATTOpcode.writeCommand.rawValue] + declaration.valueHandle.bytes()
    }

    public func notifications(from source: Characteristic) async throws(GATTError) -> NotificationQueue {
        let declaration = try await declaration(of: source)
        guard !declaration.properties.isDisjoint(with: [.notify, .indicate]) else {
            throw .unsuitable(source, needs: "notifications")
        }
        let bits: [UInt8] = declaration.properties.contains(.notify) ? [1, 0] : [2, 0]
        guard let configuration = try await configurationHandle(of: declaration) else {
            throw .unsuitable(source, needs: "a client configuration descriptor")
        }
        let queue = queues[declaration.valueHandle] ?? NotificationQueue()
        queues[declaration.valueHandle] = queue
        if isOver { queue.end() }
        try await perform(.write(bits, to: configuration), "enabling notifications of \(source.uuid)")
        return queue
    }
}
