"""The JSON edge: requests in, responses out, explanations and reports."""
