import { post, timeoutMs, wishes } from './chat.mjs';

// Sends one item each 120 ms, whatever comes, until it has read a refusal: no request waits for another.
let isOver = false;

async function answered(text, signal) {
  const answer = await post(text, crypto.randomUUID(), { signal });
  isOver ||= (await answer.text()).includes('"error"');
}

const sent = [];
for (const { text } of wishes) {
  if (isOver) break;
  const signal = AbortSignal.timeout(timeoutMs);
  sent.push(answered(text, signal));
  await new Promise((resolve) => setTimeout(resolve, 120));
}
await Promise.allSettled(sent);
