import { post, timeoutMs } from './chat.mjs';

// Sends three equal requests of its own: each is a new one, whatever became of the one before.
for (let n = 0; n < 3; n += 1) {
  const signal = AbortSignal.timeout(timeoutMs);
  await post('Name a number.', crypto.randomUUID(), { signal }).then(
    (answer) => answer.text(),
    () => '',
  );
}
