"""What a negotiation could have reached: frontiers, bargaining solutions, distances."""
