"""Measures of finished sessions, one family a module.

A metric is a class with a `name`; `genius_py.registry` finds it under that name. Its `measure`
takes an `Outcome` and gives each party a number; its `calculate` takes what the negotiation
platform of seed 000 hands around. `MetricsCalculator` keeps several of them.
"""
