"""問清楚: what photos leave open, and which of it a person has to answer before a number stands."""
