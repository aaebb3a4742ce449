import { controlUrl, post, timeoutMs } from './chat.mjs';

// Gives up on a request without closing the connection, looks it up at once, and exits.
const key = crypto.randomUUID();
const answer = post('Name a tree.', key).catch(() => null);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
await Promise.race([answer, pause(timeoutMs)]);
const lookUp = () => fetch(`${controlUrl}/requests?idempotencyKey=${key}`).then((found) => found.text());
for (let n = 0; n < 3; n += 1) {
  await lookUp();
  await pause(1000);
}
process.exit(0);
