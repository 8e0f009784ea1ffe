import Bluetooth
import Bytes

/// A packet from the controller to a host that has it to itself (Vol 4, Part E, 5.4).
enum ControllerPacket: Equatable, Sendable {
    /// An event, and how many commands the controller accepts now; nil if the event does not state it.
    case event(HCIEvent, credits: Int?)
    /// How many data packets of each link have left the controller's buffers (7.7.19).
    case completed([Completed])
    /// Advertising reports (7.7.65.2 and 7.7.65.13).
    case reports([AdvertisingReport])
    /// What a peer supports (7.7.65.4); nil if that is not known.
    case peerFeatures(handle: UInt16, UInt64?)
    /// A peer requests other link parameters (7.7.65.6).
    case parameterRequest(handle: UInt16, RequestedParameters)
    case data(DataPacket)
    case hardwareError(code: UInt8)
    case other

    struct Completed: Equatable, Sendable {
        let handle: UInt16
        let count: Int
    }
}

/// A data packet of a link.
///
///     0  1  packet type: 0x02
///     1  2  handle (12 bits), boundary (2 bits; 1: continues a packet), broadcast (2 bits)
///     3  2  length
///     5  …  part of an L2CAP packet
struct DataPacket: Equatable, Sendable {
    let handle: UInt16
    let isContinuation: Bool
    /// Nil if the packet's length is wrong.
    let payload: [UInt8]?
}

/// Link parameters that a peer requests, within the range of the specification.
///
///     0  2  minimum interval, 1.25 ms
///     2  2  maximum interval, 1.25 ms
///     4  2  latency
///     6  2  supervision timeout, 10 ms
struct RequestedParameters: Equatable, Sendable {
    let shortest: Duration
    let longest: Duration
    let supervisionTimeout: Duration
    /// Whether all are in their ranges (Vol 3, Part A, 4.20).
    let isValid: Bool

    /// The longest interval that is granted, unless we have requested a longer one.
    private static let longInterval = Duration.milliseconds(100)

    init(parsing reader: inout ByteReader) throws(ByteError) {
        let (least, most): (UInt16, UInt16) = (
            try reader.integer("minimum interval"), try reader.integer("maximum interval")
        )
        let latency: UInt16 = try reader.integer("latency")
        let timeout: UInt16 = try reader.integer("supervision timeout")
        shortest = .microseconds(1250) * Int(least)
        longest = .microseconds(1250) * Int(most)
        supervisionTimeout = .milliseconds(10) * Int(timeout)
        isValid =
            least >= 6 && least <= most && most <= 3200 && latency < 500 && (10...3200).contains(timeout)
            && supervisionTimeout > longest * 2 * (Int(latency) + 1)
    }

    /// What to grant on a link for which we have requested `linkRequest`: the interval nearest to ours that the peer
    /// allows, without latency. Nil if the request is invalid or that interval is too long.
    func granted(for linkRequest: LinkRequest) -> LinkRequest? {
        let interval = min(max(linkRequest.interval, shortest), longest)
        guard isValid, interval <= max(linkRequest.interval, Self.longInterval) else { return nil }
        var granted = linkRequest
        granted.interval = interval
        granted.supervisionTimeout = max(linkRequest.supervisionTimeout, supervisionTimeout)
        return granted
    }
}

extension ControllerPacket {
    init(parsing reader: inout ByteReader) throws(ByteError) {
        switch try reader.integer("packet type", as: UInt8.self) {
        case 0x02: self = .data(try DataPacket(parsing: &reader))
        case 0x04:
            let code: UInt8 = try reader.integer("event code")
            let length: UInt8 = try reader.integer("parameter length")
            var parameters = try reader.nested("parameters", Int(length))
            self = try Self.event(code: code, parsing: &parameters)
        default: self = .other
        }
    }

    private static func event(code: UInt8, parsing reader: inout ByteReader) throws(ByteError) -> Self {
        switch code {
        case 0x0E, 0x0F:
            var rest = reader
            if code == 0x0F { _ = try rest.integer("status", as: UInt8.self) }
            let credits = Int(try rest.integer("packets", as: UInt8.self))
            return .event(try HCIEvent(code: code, parsing: &reader), credits: credits)
        case 0x10: return .hardwareError(code: try reader.integer("hardware code"))
        case 0x13:
            var list: [Completed] = []
            for _ in 0..<(try reader.integer("handles", as: UInt8.self)) {
                let handle = try HCIEvent.handle(parsing: &reader)
                list.append(
                    Completed(handle: handle, count: Int(try reader.integer("packets", as: UInt16.self))))
            }
            return .completed(list)
        case 0x3E:
            let subevent: UInt8 = try reader.integer("subevent")
            switch subevent {
            case 0x02: return .reports(try AdvertisingReport.legacy(parsing: &reader))
            case 0x04:
                let status = HCIStatus(rawValue: try reader.integer("status"))
                let handle = try HCIEvent.handle(parsing: &reader)
                let features: UInt64 = try reader.integer("features")
                return .peerFeatures(handle: handle, status == .success ? features : nil)
            case 0x06:
                let handle = try HCIEvent.handle(parsing: &reader)
                return .parameterRequest(handle: handle, try RequestedParameters(parsing: &reader))
            case 0x0D: return .reports(try AdvertisingReport.extended(parsing: &reader))
            default: return .event(try HCIEvent(meta: subevent, parsing: &reader), credits: nil)
            }
        default: return .event(try HCIEvent(code: code, parsing: &reader), credits: nil)
        }
    }
}

extension DataPacket {
    init(parsing reader: inout ByteReader) throws(ByteError) {
        let first: UInt16 = try reader.integer("handle")
        handle = first & HCIEvent.handleBits
        isContinuation = first >> 12 & 0x03 == 1
        let length: UInt16 = try reader.integer("data length")
        payload = Int(length) == reader.remaining ? Array(reader.remainder()) : nil
    }
}
