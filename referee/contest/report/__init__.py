"""What a contest publishes: JSON, CSV, PHH and one HTML page, all from the same values and the same every time."""
