import Work

extension ClaimAnswer {
    /// Reads the rows of `claim`: the order first, then one for each recalled file, granted unit and denied beacon.
    init(_ rows: PostgresRows, _ during: String) throws(PostgresError) {
        guard let first = rows.first, try first.text("kind") == "order" else {
            throw PostgresError(.answer("the order is missing"), during: during)
        }
        let order = try WorkOrder(first)
        self.init(order: order, grants: [])
        for row in rows.dropFirst() {
            switch try row.text("kind") {
            case "recalled": recalledFiles[try row.text("file_sha256")] = try row.text("reason")
            case "grant": grants.append(try Grant(row, order))
            case "withheld": denied.append(Denial(try row.text("key"), try Denial.Reason(row)))
            case let kind: throw row.flaw("unknown row kind '\(kind)'")
            }
        }
    }
}

extension WorkOrder {
    fileprivate init(_ row: PostgresRow) throws(PostgresError) {
        self.init(
            number: try row.text("key"), state: try row.enumeration("state", "order state"),
            heldReason: try row.textIfAny("held_reason"),
            expected: try row.integerIfAny("expected").map { Int(clamping: $0) },
            firmware: try WorkFirmware(row))
    }
}

extension WorkFirmware {
    /// Reads the firmware from a row of the function `claim` or of the view `orders`.
    init(_ row: PostgresRow) throws(PostgresError) {
        if let sha256 = try row.textIfAny("file_sha256") {
            self = .file(name: try row.text("file_name"), sha256: sha256)
        } else if let version = try row.integerIfAny("catalogue_version") {
            self = .catalogue(version: version, withBeta: try row.boolean("with_beta"))
        } else {
            self = .ofTray
        }
    }
}

extension ClaimAnswer.Grant {
    fileprivate init(_ row: PostgresRow, _ order: WorkOrder) throws(PostgresError) {
        self.init(
            WorkClaim(order: order.number, key: try row.text("key"), epoch: try row.integer("epoch")),
            lease: .milliseconds(try row.integer("lease_ms")), wasClaimedBefore: try row.boolean("was_begun"),
            selector: try row.text("selector"), slot: try row.textIfAny("slot"),
            requestedKey: try row.text("asked"))
    }
}

extension ClaimAnswer.Denial.Reason {
    fileprivate init(_ row: PostgresRow) throws(PostgresError) {
        switch try row.text("reason") {
        case "claimed":
            self = .claimed(by: try row.text("by_station"), left: .milliseconds(try row.integer("left_ms")))
        case "claimed-elsewhere":
            self = .claimedElsewhere(
                order: try row.text("by_order"), by: try row.text("by_station"),
                left: .milliseconds(try row.integer("left_ms")))
        case "done": self = .done
        case "failed": self = .failed
        case "not-in-order": self = .notInOrder
        case "full": self = .full
        case let reason: throw row.flaw("unknown reason '\(reason)' for a denied beacon")
        }
    }
}
