// Before the first paint: what only works without scripts is hidden.
document.documentElement.classList.add("js");
