import Firmware
import UpdateModel

extension Advice {
    /// The sentence, with settings as options and tasks as commands.
    package var withOptions: String {
        words { part in
            switch part {
            case .text(let text): text
            case .setting(let setting, let value): Self.option(setting.option, value)
            case .option(let option, let value): Self.option("--\(option.name)", value)
            case .task(.info, nil, _): "`\(ProgramTask.info.command) --device ADDRESS`"
            case .task(let task, nil, _): "`\(task.command)`"
            case .task(let task, let setting?, let value):
                "`\(task.command) \(Self.option(setting.option, value))`"
            }
        }
    }

    private static func option(_ name: String, _ value: String?) -> String {
        name + (value.map { " \($0)" } ?? "")
    }
}

extension Setting {
    package var option: String {
        switch self {
        case .secrets: "--secrets"
        case .risk: "--force"
        case .expectedVersion: "--expect-version"
        case .unverified: "--no-verify"
        case .device: "--device"
        case .adapter: "--adapter"
        case .powersOn: "--power-on"
        case .publicKey: "--public-key"
        case .softDevices: "--sd-req"
        case .deviceType: "--dev-type"
        case .deviceRevision: "--dev-revision"
        case .initPacketFormat: "--dfu-ver"
        case .applicationVersion: "--application-version"
        case .bootloaderVersion: "--bootloader-version"
        case .targetModel: "--target model="
        case .buildTime: "--timestamp"
        case .modelName: "--model"
        case .modelNumber: "--model-type"
        case .softDeviceIDs: "--sd-id"
        case .softDeviceFile: "--softdevice"
        case .applicationFile: "--application"
        case .debugMode: "--debug-mode"
        case .sealNumber: "--counter"
        case .testReleases: "--beta"
        case .versionScheme: "--versions"
        case .journal: "--journal"
        case .resume: "--resume"
        case .retryFailed: "--retry-failed"
        case .scanTime: "--scan-for"
        case .logLevel: "--log-level"
        }
    }
}

extension ProgramTask {
    package var command: String {
        switch self {
        case .scan: "beacon-dfu scan"
        case .info: "beacon-dfu info"
        case .validate: "beacon-dfu validate FILE"
        case .inspect: "beacon-dfu inspect FILE"
        case .flash: "beacon-dfu flash"
        case .readSettings: "beacon-dfu config read --device ADDRESS"
        case .writeSettings: "beacon-dfu config write FILE --device ADDRESS"
        case .makeKey: "beacon-dfu keys generate"
        case .signCatalogue: "beacon-dfu catalogue sign"
        case .build(let kind):
            "beacon-dfu build" + (kind.flatMap { KnownVendors.recipe(for: $0) }.map { " \($0)" } ?? "")
        }
    }
}
