// Exact words rank before words that only begin with what was typed: `Adam` before `AdamOffload`.
// The search of the theme looks for each word as a prefix; this asks for the word itself as well, with more weight.
function withExactWords(query) {
  return query.replace(/[^\s"*+\-:^~]\S*/g, word => /[*:^~"]/.test(word) ? word : `${word}^9 ${word}`);
}
const SEARCH_QUERY = 2; // the kind of message with which the page asks the theme's worker
const post = globalThis.Worker?.prototype.postMessage;
if (post) {
  Worker.prototype.postMessage = function (message, ...rest) {
    const isQuery = message?.type === SEARCH_QUERY && typeof message.data === "string";
    post.call(this, isQuery ? { ...message, data: withExactWords(message.data) } : message, ...rest);
  };
}
