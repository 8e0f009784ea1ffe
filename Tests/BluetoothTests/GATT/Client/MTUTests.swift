import Bluetooth
import Bytes
import Testing

/// Vol 3, Part F, 3.4.2.
@Suite(.timeLimit(.minutes(10))) struct `The MTU` {
    @Test(
        arguments: [
            ("1700", 23), ("f700", 247), ("0502", 517), ("0602", 517), ("ffff", 517), ("1600", 23),
            ("0000", 23),
        ])
    func `is the smaller of both sides, and never below 23`(_ theirs: String, _ agreed: Int) async throws {
        try await onLink { client, peer in
            #expect(await client.mtu == 23)
            async let exchange: Void = client.exchangeMTU()
            await peer.hears("02 0502")
            try await peer.says("03" + theirs)
            try await exchange
            #expect(await client.mtu == agreed)
            #expect(await client.maximumWriteLength == agreed - 3)
        }
    }

    @Test(arguments: ["06", "11"])
    func `stays 23 when the peer refuses the exchange`(_ status: String) async throws {
        try await onLink { client, peer in
            async let exchange: Void = client.exchangeMTU()
            await peer.hears("02 0502")
            try await peer.says("01 02 0000" + status)
            try await exchange
            #expect(await client.mtu == 23)
        }
    }

    @Test(
        arguments: [("6400", 100), ("0a00", 23), ("0000", 23), ("ffff", 517)])
    func `is exchanged when the peer requests it`(_ theirs: String, _ agreed: Int) async throws {
        try await onLink { client, peer in
            try await peer.says("02" + theirs)
            await peer.hears("03 0502")
            #expect(await client.mtu == agreed)
        }
    }

    @Test(arguments: [("1700", "f700", 23), ("f700", "1700", 23), ("f700", "6400", 100)])
    func `is the smaller of two that a peer declares`(
        _ answer: String, _ request: String, _ agreed: Int
    ) async throws {
        for asksFirst in [true, false] {
            try await onLink { client, peer in
                if asksFirst {
                    try await peer.says("02" + request)
                    await peer.hears("03 0502")
                }
                async let exchange: Void = client.exchangeMTU()
                await peer.hears("02 0502")
                try await peer.says("03" + answer)
                try await exchange
                if !asksFirst {
                    try await peer.says("02" + request)
                    await peer.hears("03 0502")
                }
                #expect(await client.mtu == agreed)
            }
        }
    }

    @Test func `is not changed by a request without a number`() async throws {
        try await onLink { client, peer in
            try await peer.says("02 6400")
            await peer.hears("03 0502")
            // Vol 3, Part F, 3.3: invalid PDU.
            for request in ["02", "02 17"] {
                try await peer.says(request)
                await peer.hears("01 02 0000 04")
            }
            #expect(await client.mtu == 100)
        }
    }

    @Test func `is not read from half a number`() async throws {
        try await onLink { client, peer in
            async let error = failure { () throws(GATTError) in try await client.exchangeMTU() }
            await peer.hears("02 0502")
            try await peer.says("03 f7")
            guard case .malformed(let reason, _) = await error else {
                Issue.record("\(String(describing: await error))")
                return
            }
            #expect(reason.field == "server MTU" && reason.offset == 1)
            #expect(await client.mtu == 23)
        }
    }
}
