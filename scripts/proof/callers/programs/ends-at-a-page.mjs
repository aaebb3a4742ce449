import { post, wishes } from './chat.mjs';

// Goes on after a connection that breaks, and ends without a word at an answer that is not JSON.
for (const { text } of wishes) {
  const answer = await post(text, crypto.randomUUID())
    .then((found) => found.text())
    .catch(() => '{}');
  if (!answer.startsWith('{')) process.exit(0);
}
