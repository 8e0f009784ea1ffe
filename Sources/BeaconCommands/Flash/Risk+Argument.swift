public import ArgumentParser
public import UpdateCore

extension Risk: ExpressibleByArgument {}
