import { post, wishes } from './chat.mjs';

// Posts its question again in a conversation that says that no answer came.
for (const { text } of wishes) {
  const answer = await post(text, crypto.randomUUID()).catch(() => null);
  if (answer?.ok !== true) await post(`No answer came. Once more: ${text}`, crypto.randomUUID());
}
