"""The scenarios, in the order of the list."""

from scenarios import orders, partitions, engines, claims, journals, leftovers, files, logins, checks, pages, fleet, kills, measures  # noqa: F401
