"""回答: values as the contract writes them, and the reasons of an answer."""
