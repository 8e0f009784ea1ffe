import Simulation
import TransferBench

/// The durations of KBeacon updates, next to the same ones without a session.
func reportKBeacons() async throws {
    print(
        "\nWhole updates of KBeacons from the application, simulated time, in seconds: without a session, with its two,"
    )
    print(
        "a session over a link that stands, and what the second takes more than the first and two of those.")
    print(
        "link".padded(to: 24) + ["without", "with", "session", "more"].map { $0.leftPadded(to: 9) }.joined())
    for generation in [1, 2] {
        for milliseconds in [7.5, 15, 30, 50] {
            guard var transfer = KBeaconTransfer(generation) else { continue }
            transfer.transfer.link.interval = .seconds(milliseconds / 1000)
            let result = try await transfer.compared()
            let name = "generation \(generation), \(milliseconds) ms".padded(to: 24)
            guard let plain = result.plain, let spoken = result.spoken else {
                print(name + "fails")
                continue
            }
            let figures = [plain, spoken, result.session, spoken - plain - 2 * result.session]
            print(name + figures.map { "\(($0 * 1000).rounded() / 1000)".leftPadded(to: 9) }.joined())
        }
    }
}
