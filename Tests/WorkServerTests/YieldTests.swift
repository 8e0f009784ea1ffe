import Bytes
import Testing
import Tray
import UpdateModel
import Work
import WorkContract
import WorkServer

@Suite(.withPostgreSQL, .timeLimit(.minutes(2))) struct `The yield of an order` {
    @Test func `changes with a result, not with another attempt`() async throws {
        let database = try await SharedServer.database()
        try await PostgresWorkServer(database).make(
            ContractOrder("A", units: ["id:1", "id:2", "id:3", "id:4"]))
        let (work, watcher) = (database.work(), database.admin(as: "watcher"))
        func yields() async throws -> [Double?] {
            let order = try #require(try await watcher.orders("A").first)
            // The page counts these.
            let counts = UnitCounts(try await watcher.units(of: "A"))
            #expect(
                [counts.firstPassYield.share, counts.finalYield.share] == [order.firstPassYield, order.yield])
            #expect(counts.units == order.units && counts[.waiting] == order.waiting)
            #expect(counts.good == order.verified && counts[.failed] + counts[.unknown] == order.failed)
            return [order.firstPassYield, order.yield]
        }
        _ = try await work.sendHeartbeat(
            StationReport(.sample("line1"), program: "1", lastSequence: 0, clock: .now))
        let claims = try await work.claim(ClaimRequest("A", beacons: nil, most: 4, for: .seconds(60)))
            .grants.map(\.claim)
        _ = try await work.deliver(
            claims.enumerated().map {
                .sample(Int64($0 + 1), $1, outcome: $0 == 3 ? .failed : .passed, code: nil)
            })
        #expect(try await yields() == [0.75, 0.75])
        #expect(try await database.admin(as: "foreman").retry(nil, of: "A", by: "me") == 1)
        #expect(try await yields() == [0.75, 0.75])
        let again = try await work.claim(ClaimRequest("A", beacons: nil, most: 4, for: .seconds(60))).grants
        #expect(again.count == 1)
        #expect(try await yields() == [0.75, 0.75])
        // The bench did not complete it: no result of the unit.
        _ = try await work.deliver([.sample(5, again[0].claim, outcome: .error, code: "x")])
        #expect(try await yields() == [0.75, 0.75])
        let last = try await work.claim(ClaimRequest("A", beacons: nil, most: 4, for: .seconds(60))).grants
        _ = try await work.deliver([.sample(6, try #require(last.first).claim)])
        #expect(try await yields() == [0.75, 1])
        let units = try await watcher.units(of: "A")
        #expect(units.map(\.hasFailed) == [false, false, false, true])
        #expect(units.allSatisfy { !$0.isRetried })
    }

    /// Results of units with one claim each, as benches tell them.
    @Test(
        arguments: [
            ([#"{"run":"r","first_pass":true,"times_sent":1}"#], 1),
            ([#"{"run":"r","first_pass":false,"times_sent":2}"#], 0),
            // An error of the bench, after which another run sends the image again, continues, or says what no bench says.
            (
                [
                    #"{"run":"r","first_pass":null,"times_sent":1}"#,
                    #"{"run":"s","first_pass":true,"times_sent":1}"#,
                ], 0
            ),
            (
                [
                    #"{"run":"r","first_pass":null,"times_sent":1}"#,
                    #"{"run":"s","first_pass":true,"times_sent":0}"#,
                ], 1
            ),
            (
                [
                    #"{"run":"r","first_pass":null,"times_sent":1}"#,
                    #"{"run":"r","first_pass":true,"times_sent":1}"#,
                ], 1
            ),
            ([#"{"run":"r","times_sent":"\u0000"}"#, #"{"times_sent":[7],"first_pass":{}}"#], 1),
        ] as [([String], Double)]) func `counts an image that was sent again as no first pass`(
            bodies: [String], share: Double
        )
        async throws
    {
        let database = try await SharedServer.database()
        try await PostgresWorkServer(database).make(ContractOrder("A", units: ["id:1"]))
        let (work, watcher) = (database.work(), database.admin(as: "watcher"))
        _ = try await work.sendHeartbeat(
            StationReport(.sample("line1"), program: "1", lastSequence: 0, clock: .now))
        for (index, body) in bodies.enumerated() {
            let isLast = index == bodies.count - 1
            let claims = try await work.claim(ClaimRequest("A", beacons: nil, most: 1, for: .seconds(60)))
                .grants
            var result = WorkResult.sample(
                Int64(index + 1), try #require(claims.first).claim, outcome: isLast ? .passed : .error,
                code: isLast ? nil : "x")
            (result.body, result.sha256) = (body, HexText.encode(SHA256Digest.digest(body.utf8)))
            #expect(try await work.deliver([result]) == [.stored(.current)])
        }
        let order = try #require(try await watcher.orders("A").first)
        #expect(order.firstPassYield == share && order.yield == 1)
        let counts = UnitCounts(try await watcher.units(of: "A"))
        #expect(counts.firstPassYield.share == share && counts.finalYield.share == 1)
    }

    @Test(arguments: [
        (
            #"{"slot":"A1","name":"Lamp 1","attempts":[{},{"attempt":2,"seconds":4.25,"version_before":"1","version_after":"2","adapter":"hci0"}]}"#,
            true
        ),
        (#"{"name":"\u0000","attempts":7}"#, false), (#"{"name":{"a":1},"attempts":[null]}"#, false),
        ("{}", false),
    ]) func `has results with the data of the last attempt, whatever that is`(
        body: String, isWhole: Bool
    ) async throws {
        let database = try await SharedServer.database()
        let work = database.work()
        _ = try await work.sendHeartbeat(
            StationReport(.sample("line1"), program: "1", lastSequence: 0, clock: .now))
        var result = WorkResult.sample(1)
        (result.body, result.sha256) = (body, HexText.encode(SHA256Digest.digest(body.utf8)))
        #expect(try await work.deliver([result]) == [.stored(.unplanned)])
        let watcher = database.admin(as: "watcher")
        let found = try #require(try await watcher.results(with: "").first)
        #expect((found.versionBefore == "1" && found.versionAfter == "2" && found.seconds == 4.25) == isWhole)
        #expect((found.attempt == 2 && found.adapter == "hci0" && found.slot == "A1") == isWhole)
        #expect(try await watcher.results(with: "lamp 1").count == (isWhole ? 1 : 0))
    }
}
