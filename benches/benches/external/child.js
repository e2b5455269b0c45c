// The made-up port of the bench, in JavaScript.
"use strict";

function reply(message) {
  if (message.run) {
    const { id, input } = message.run;
    const falloff = 1 - input.distance / 1024;
    const product = input.damage * falloff;
    return { id, ok: { falloff, product, result: Math.trunc(product) } };
  }
  const capabilities = [{ name: "compute_toy" }];
  return { hello: { protocol: 1, name: "bench", language: "JavaScript", version: "1", capabilities } };
}

let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (piece) => {
  const lines = (rest + piece).split("\n");
  rest = lines.pop();
  const replies = [];
  for (const line of lines) {
    const message = JSON.parse(line);
    if (message.bye) {
      process.stdin.destroy();
      break;
    }
    replies.push(JSON.stringify(reply(message)) + "\n");
  }
  process.stdout.write(replies.join(""));
});
