import { controlUrl, post, wishes } from './chat.mjs';

// Has all items in flight; cancels the others when one is lost, and sends again only what the workspace shows as not done.
const cancel = new AbortController();

async function attempt({ text }) {
  const key = crypto.randomUUID();
  try {
    const answer = await post(text, key, { signal: cancel.signal });
    await answer.text();
    if (answer.ok) return [];
  } catch {}
  cancel.abort();
  return [{ text, key }];
}

async function isDone(key) {
  const found = await fetch(`${controlUrl}/requests?idempotencyKey=${key}`);
  const { requests } = await found.json();
  return requests.some(({ state }) => state !== 'failed');
}

const lost = (await Promise.all(wishes.map(attempt))).flat();
for (const { text, key } of lost) if (!(await isDone(key))) await post(text, crypto.randomUUID());
