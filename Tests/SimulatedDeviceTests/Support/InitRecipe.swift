import Digests
import SimulatedDevice

/// Builds init packets field by field, wrong ones too.
struct InitRecipe {
    var image: [UInt8]
    var version: Int? = 1
    var hardware: Int? = 52
    var softDevices: [Int] = [0x100]
    var type: Int? = 0
    var softDeviceSize = 0
    var bootloaderSize = 0
    var applicationSize: Int
    var hashType = 3
    var hash: [UInt8]
    var isDebug = false
    var validations: [Int] = []
    var signature: (type: Int, bytes: [UInt8])?
    var behindInit: [UInt8] = []

    init(_ image: [UInt8], _ change: (inout Self) -> Void) {
        self.image = image
        applicationSize = image.count
        hash = SHA256Digest.digest(image).reversed()
        change(&self)
    }

    init(_ image: [UInt8] = GoldenUpdate.pattern(9000)) { self.init(image) { _ in } }

    init(_ change: (inout Self) -> Void) { self.init(GoldenUpdate.pattern(9000), change) }

    var initCommand: [UInt8] {
        var bytes = scalar(1, version) + scalar(2, hardware)
        if !softDevices.isEmpty { bytes += field(3, softDevices.flatMap(varint)) }
        bytes += scalar(4, type) + scalar(5, softDeviceSize) + scalar(6, bootloaderSize)
        bytes += scalar(7, applicationSize) + field(8, scalar(1, hashType) + field(2, hash))
        bytes += scalar(9, isDebug ? 1 : 0)
        return validations.reduce(bytes) { $0 + field(10, scalar(1, $1) + field(2, [])) }
    }

    var packet: [UInt8] {
        let command = scalar(1, 1) + field(2, initCommand) + behindInit
        guard let signature else { return field(1, command) }
        return field(2, field(1, command) + scalar(2, signature.type) + field(3, signature.bytes))
    }
}

func varint(_ value: Int) -> [UInt8] {
    value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7F | 0x80)] + varint(value >> 7)
}

func scalar(_ number: Int, _ value: Int?) -> [UInt8] {
    value.map { varint(number << 3) + varint($0) } ?? []
}

func field(_ number: Int, _ bytes: [UInt8]) -> [UInt8] {
    varint(number << 3 | 2) + varint(bytes.count) + bytes
}
