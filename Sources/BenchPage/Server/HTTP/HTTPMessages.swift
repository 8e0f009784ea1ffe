struct HTTPRequest: Sendable {
    let method: String
    /// The target as it was sent, with its query.
    let target: String
    /// HTTP/1.1 or HTTP/1.0.
    let version: String
    /// The key by which the connections of one client are counted: its address, or one key for a Unix socket.
    let client: String
    private let fields: [(name: String, value: String)]
    /// The server's name in a target in absolute form; nil for another form.
    private let authority: String?
    private let resource: Substring

    init(
        method: String, target: String, version: String = "HTTP/1.1", client: String,
        fields: [(name: String, value: String)]
    ) {
        (self.method, self.target, self.version, self.client) = (method, target, version, client)
        self.fields = fields.map { ($0.name.lowercased(), $0.value) }
        if let scheme = ["http://", "https://"].first(where: { target.lowercased().hasPrefix($0) }) {
            let name = target.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }
            (authority, resource) = (String(name), target[name.endIndex...])
        } else {
            (authority, resource) = (nil, target[...])
        }
    }

    /// The target without its query, and without the server's name.
    var path: String {
        let path = resource.prefix { $0 != "?" }
        return path.isEmpty && authority != nil ? "/" : String(path)
    }

    /// The values of the header `name`, which is in lower case, joined to one; nil if there is none.
    subscript(name: String) -> String? {
        let values = values(of: name)
        return values.isEmpty ? nil : values.joined(separator: name == "cookie" ? "; " : ", ")
    }

    /// The values of the header `name`, which is in lower case.
    func values(of name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    func parameter(_ name: String) -> String? {
        for pair in resource.drop(while: { $0 != "?" }).dropFirst().split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts[0] == name { return parts.count > 1 ? Self.decoded(parts[1]) : "" }
        }
        return nil
    }

    var hasBody: Bool {
        !values(of: "transfer-encoding").isEmpty || values(of: "content-length").contains { $0 != "0" }
    }

    /// Why the request is refused whatever it asks for; nil if its head is valid. The library accepts more than
    /// RFC 9112 does, and two readers of one request must not disagree on its end.
    var fault: String? {
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else { return "the version is not HTTP/1.1" }
        guard !method.isEmpty, method.utf8.allSatisfy(Self.isTokenCharacter) else {
            return "the method is invalid"
        }
        guard target.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return "the target is invalid" }
        for (name, value) in fields {
            let isValid = value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
            guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenCharacter), isValid else {
                return "a header is invalid"
            }
        }
        let hosts = values(of: "host")
        guard hosts.count <= 1, authority == nil || hosts == [authority] else {
            return "the request has more than one Host, or another than its target"
        }
        let codings = values(of: "transfer-encoding")
        let lengths = values(of: "content-length").count
        guard codings.isEmpty || lengths == 0, lengths <= 1 else {
            return "the length of the body is ambiguous"
        }
        guard codings.isEmpty || version == "HTTP/1.1" && codings.map({ $0.lowercased() }) == ["chunked"]
        else { return "the body has an unknown coding" }
        return nil
    }

    /// Whether `byte` may be in a token (RFC 9110, 5.6.2).
    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    /// The text without percent-encoding; as it is if that is invalid.
    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard let digits = String(rest.prefix(2)), digits.utf8.count == 2,
                    digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16)
                else { return String(text) }
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

struct HTTPAnswer: Sendable {
    enum Body: Sendable {
        case bytes([UInt8])
        case stream(any HTTPStream)
    }

    var status = 200
    /// Its headers, in addition to those of every answer.
    var headers: [(name: String, value: String)] = []
    var body: Body
    /// Who owns the connection from now on; nil for no change.
    var owner: String?

    init(status: Int = 200, type: String, text: String) {
        self.init(status: status, type: type, body: .bytes(Array(text.utf8)))
    }

    init(status: Int = 200, type: String, body: Body) {
        (self.status, self.body, headers) = (status, body, [("Content-Type", type)])
    }
}

/// The content of an answer that is made while it is sent. Its methods are called on the server's thread.
protocol HTTPStream: AnyObject, Sendable {
    /// The next part, or nil at the end; called once at the beginning, and whenever the stream was woken.
    func next() -> String?
    /// Called when all parts so far were passed to the kernel.
    func didSend()
    /// Sets what to call, on any thread, when there may be a next part.
    func onWake(_ wake: @escaping @Sendable () -> Void)
    /// Called when the reader is gone, or the server stops.
    func close()
}

enum HTTPStep: Sendable {
    /// Answers the request. A body is not read, and the connection is closed after the answer.
    case answer(HTTPAnswer)
    /// Reads the body, and takes the step that it leads to.
    case body(@Sendable ([UInt8]) -> HTTPStep)
    /// Answers when the answer is known; meanwhile the connection is suspended.
    case later(@Sendable () async -> HTTPAnswer)
}

/// Decides about requests, on the server's thread: it must not wait.
protocol HTTPResponder: Sendable {
    /// The headers of every answer.
    var headers: [(name: String, value: String)] { get }
    /// What to do with `request`; calls `assign` with the owner of its connection, if it has one.
    func step(for request: HTTPRequest, assigningOwner assign: (String) -> Void) -> HTTPStep
    /// The answer to a request that cannot be understood, is too large or takes too long.
    func refusal(_ problem: HTTPProblem) -> HTTPAnswer
}

/// Why the server itself refuses a request.
enum HTTPProblem: Sendable {
    case malformed(String)
    case largeHead, largeBody, slowBody
}

/// The limits of a server. Those that are not commented are described in `PageLimits`.
struct HTTPLimits: Sendable {
    var headBytes = PageLimits.headBytes
    var fields = 64
    var bodyBytes = PageLimits.bodyBytes
    var strangersHead = PageLimits.strangersHead
    var idle = PageLimits.idle
    var body = PageLimits.body
    var write = PageLimits.write
    /// How long the rest of a request is read and dropped after the connection was closed: a connection that is closed
    /// with unread data is reset, and the peer may lose the answer.
    var linger = Duration.seconds(1)
    /// The most connections whose rest is read and dropped at the same time.
    var lingering = 64
    /// The time for the answers that are being sent when the server stops.
    var stop = Duration.seconds(1)
}
