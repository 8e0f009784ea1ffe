import ArgumentParser
import BeaconCommands

@main enum Main {
    static func main() async { await BeaconDFU.main() }
}
