import ArgumentParser
import BeaconCommands

@main enum Main {
    @MainActor static func main() async {
        BeaconDFU.prepare()
        await BeaconDFU.main()
    }
}
