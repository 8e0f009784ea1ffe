public import ArgumentParser
public import UpdateModel

extension VersionScheme: ExpressibleByArgument {}
