"""Pictures and pages of finished sessions."""
