public import ArgumentParser
public import UpdateModel

extension Risk: ExpressibleByArgument {}
