public import ArgumentParser
public import FirmwareModel

extension VersionScheme: ExpressibleByArgument {}
