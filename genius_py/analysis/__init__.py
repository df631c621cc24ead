"""What a negotiation could have reached: frontiers, bargaining solutions, distances.

Pure functions on arrays. Outcomes are points, shape (n_outcomes, n_parties); additive profiles of
any size are `AdditiveFactors`, hyper-rectangle profiles `BoxProfiles`.

- frontiers: `pareto` of listed outcomes, `minkowski` of additive profiles, `boxes` of
  hyper-rectangle profiles, `sampling` of anything else;
- solutions: `solutions` by the textbook, `genius` and `peers` as other platforms have them;
- measures: `zopa`, `opposition`, `distance`, `surplus`, and `outcome_space` for all at once;
- one party's bids by utility: `search`; its offers over time: `process`.
"""
