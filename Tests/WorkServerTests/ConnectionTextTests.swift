import Foundation
import Testing

@testable import WorkServer

@Suite struct `The servers in a connection string` {
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

    @Test func `have the default port if none is given`() {
        let usual = ProcessInfo.processInfo.environment["PGPORT"] ?? "5432"
        #expect(
            servers("postgresql://db:5433,db2/beacons") == [
                ["host=db", "port=5433"], ["host=db2", "port=\(usual)"],
            ])
    }

    @Test(arguments: ["host=db", "dbname=d", "host=db,,db2", "host=a,b,c port=1,2", ""])
    func `are left to libpq if they cannot be listed`(text: String) {
        #expect(servers(text) == [[]])
    }
}
