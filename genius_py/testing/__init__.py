"""The conformance kit for everyone who writes a protocol, a party or a domain."""
