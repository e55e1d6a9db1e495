"""From the installed packages and two packages of npm to a static folder that any host can serve."""
