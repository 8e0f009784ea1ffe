import Foundation
import Testing

@testable import Postgres

@Suite struct `The servers that a connection string names` {
    private func servers(_ text: String) -> [[String]] {
        ConnectionText.servers(of: text).map { $0.map { "\($0.name)=\($0.value)" } }
    }

    @Test func `are tried one by one, with the port of each`() {
        #expect(
            servers("host=db,db2 port=5433,5434 dbname=d") == [
                ["host=db", "port=5433"], ["host=db2", "port=5434"],
            ])
        #expect(servers("host=db,db2 port=5433") == [["host=db", "port=5433"], ["host=db2", "port=5433"]])
    }

    @Test func `have the usual port where none is said`() {
        let usual = ProcessInfo.processInfo.environment["PGPORT"] ?? "5432"
        #expect(
            servers("postgresql://db:5433,db2/beacons") == [
                ["host=db", "port=5433"], ["host=db2", "port=\(usual)"],
            ])
    }

    @Test(arguments: ["host=db", "dbname=d", "host=db,,db2", "host=a,b,c port=1,2", ""])
    func `are libpq's to find where there is one, or none that can be told`(text: String) {
        #expect(servers(text) == [[]])
    }
}
