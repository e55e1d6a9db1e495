"""Running games: seats, hands, totals, export and chart."""
