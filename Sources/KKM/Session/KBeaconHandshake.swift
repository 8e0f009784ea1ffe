package import Bluetooth
import Bytes
package import UpdateModel

/// Opens a KBeacon's session: both sides prove that they know the password (kbeacon.md, Handshake).
///
/// The beacon proves it first. If its proof fails, the password is wrong and nothing more is sent, so the beacon
/// receives no wrong proof.
package struct KBeaconHandshake: SessionDialogue {
    package struct Terms: Equatable, Sendable {
        /// The number of message bytes in a packet.
        package let dataLength: Int
    }
    package typealias Ending = Terms

    private enum State: Equatable {
        case idle
        case finding
        case subscribing
        case awaitingProof(strays: Int)
        case awaitingVerdict(strays: Int)
    }

    static let limit = Duration.seconds(15)
    static let maximumStrays = 16
    /// The packet size in bytes if the beacon does not report its MTU.
    private static let shortestWrite = 20

    private let address: DeviceAddress
    private let password: Secret
    private let challenge: [UInt8]
    private let clock: UInt32?
    private var state = State.idle
    private var maximumWrite = Self.shortestWrite

    /// A handshake with the beacon at `address`; `challenge` is a random number, `clock` the time to set, in
    /// seconds since 1970; nil leaves the beacon's clock.
    package init(
        with address: DeviceAddress, _ password: Secret, challenge: UInt32, settingClock clock: UInt32?
    ) {
        (self.address, self.password, self.clock) = (address, password, clock)
        var writer = ByteWriter()
        writer.integer(challenge, .big)
        self.challenge = writer.bytes
    }

    package mutating func begin(on link: LinkFacts) -> Step {
        maximumWrite = link.maximumWriteLength
        state = .finding
        return Step(.find(KBeaconService.requests))
    }

    package mutating func note(_ times: CommandTimes) {}

    package mutating func advance(after outcome: DialogueOutcome) throws(SessionFailure) -> Step {
        switch (state, outcome) {
        case (.finding, .done):
            state = .subscribing
            return Step(.subscribe(KBeaconService.answers))
        case (.finding, _): throw failure(.session.notOffered, "\(address) offers no KBeacon session")
        case (.subscribing, .done):
            state = .awaitingProof(strays: 0)
            var writer = ByteWriter([0x13, 0x01])
            writer.append(challenge)
            if let clock { writer.integer(clock, .big) }
            return request(writer.bytes)
        case (.awaitingProof(let strays), .value(let bytes)):
            guard let proof = Proof(bytes) else {
                return try expectAgain(strays) { .awaitingProof(strays: $0) }
            }
            return try answer(proof)
        case (.awaitingVerdict(let strays), .value(let bytes)):
            // A repetition of the beacon's proof is not the answer to this program's proof.
            guard bytes.count >= 2, bytes[0] >> 4 == 1, ![0x01, 0x0B].contains(bytes[1]) else {
                return try expectAgain(strays) { .awaitingVerdict(strays: $0) }
            }
            return try conclude(bytes)
        case (_, .timedOut):
            throw failure(.device.noAnswer, "\(address) does not answer the handshake of a KBeacon session")
        default: throw failure(.session.answerMalformed, "unexpected outcome \(outcome) in state \(state)")
        }
    }

    /// The proof that the beacon has to send first.
    ///
    ///     0  1  1x
    ///     1  1  01, or 0B for a folded digest
    ///     2  4  the beacon's challenge
    ///     6  16 or 8  its digest
    private struct Proof {
        let challenge: ArraySlice<UInt8>
        let digest: ArraySlice<UInt8>
        var isFolded: Bool { digest.count == 8 }

        init?(_ bytes: [UInt8]) {
            guard bytes.count >= 6, bytes[0] >> 4 == 1 else { return nil }
            (challenge, digest) = (bytes[2..<6], bytes[6...])
            switch bytes[1] {
            case 0x01 where digest.count == 16: break
            case 0x0B where digest.count == 8: break
            default: return nil
            }
        }
    }

    private mutating func answer(_ proof: Proof) throws(SessionFailure) -> Step {
        let theirs = KBeaconDigest(to: challenge, of: address, password)
        guard proof.digest.elementsEqual(proof.isFolded ? theirs.folded : theirs.bytes) else {
            throw failure(
                .session.passwordWrong, "\(address) has a different password; nothing more was sent to it")
        }
        let ours = KBeaconDigest(to: proof.challenge, of: address, password)
        state = .awaitingVerdict(strays: 0)
        return request(proof.isFolded ? [0x13, 0x0C] + ours.folded : [0x13, 0x02] + ours.bytes)
    }

    /// Parses the beacon's verdict: `1x 02`, optionally followed by the largest MTU, accepts; `1x F1` refuses.
    private func conclude(_ bytes: [UInt8]) throws(SessionFailure) -> Step {
        switch bytes[1] {
        case 0x02:
            let theirs = bytes.count > 2 ? Int(bytes[2]) - 3 : Self.shortestWrite
            let length = min(maximumWrite, theirs) - KBeaconPacket.header
            guard length > 0 else {
                throw failure(
                    .session.answerMalformed,
                    "\(address) accepts only packets of \(theirs) bytes, which cannot carry data")
            }
            return Step(.end(Terms(dataLength: length)))
        case 0xF1:
            throw failure(
                .session.authenticationRefused, "\(address) has the same password but refuses the handshake")
        default:
            throw failure(
                .session.answerMalformed,
                "\(address) ends the handshake with \(HexText.encode(bytes.prefix(2)))")
        }
    }

    private func request(_ bytes: [UInt8]) -> Step {
        Step(
            .request(
                bytes, on: KBeaconService.requests, answerOn: KBeaconService.answers, within: Self.limit))
    }

    private mutating func expectAgain(_ strays: Int, _ next: (Int) -> State) throws(SessionFailure) -> Step {
        guard strays < Self.maximumStrays else {
            throw failure(
                .session.answerMalformed, "\(address) keeps answering the handshake with unexpected packets")
        }
        state = next(strays + 1)
        return Step(.expect(from: KBeaconService.answers, within: Self.limit))
    }

    private func failure(_ code: FailureCode, _ message: String) -> SessionFailure {
        SessionFailure(code, during: "opening the session", message)
    }
}

/// The proof of knowing a password (kbeacon.md, Handshake).
struct KBeaconDigest: Equatable, Sendable {
    /// The MD5 of the address, a fixed word, the other side's challenge and the password.
    let bytes: [UInt8]

    /// The response to `challenge`, four bytes, by or to the beacon at `address`.
    init(to challenge: some Sequence<UInt8>, of address: DeviceAddress, _ password: Secret) {
        bytes = MD5Digest.digest(address.bytes.reversed() + [0xA9, 0xB1] + Array(challenge) + password.bytes)
    }

    /// The XOR of the digest's two halves, for links whose packets cannot carry the whole digest.
    var folded: [UInt8] { zip(bytes.prefix(8), bytes.dropFirst(8)).map { $0 ^ $1 } }
}
