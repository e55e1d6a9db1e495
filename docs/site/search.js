// The site's search splits texts at blanks, and Chinese has none. hooks.py puts every two neighbouring characters of a
// page into its index; here a Chinese query is split the same way, and a page must have all of its parts.
(() => {
  const chinese = /[\u3400-\u9fff]+/gu;
  const pairs = (run) => [...run].slice(1).map((character, at) => `+${[...run][at]}${character}`).join(" ");
  const split = (query) => query.replace(chinese, (run) => (run.length > 1 ? ` ${pairs(run)} ` : run)).trim();
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...more) {
    const asked = message && typeof message.query === "string";
    return post.call(this, asked ? { ...message, query: split(message.query) } : message, ...more);
  };
})();
