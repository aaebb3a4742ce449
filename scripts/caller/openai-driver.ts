import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import OpenAI, { APIError } from 'tested-client';
import type { CallerTask, TaskItem } from './scenarios.ts';

function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is missing: start this with chat-conformance caller`);
  return value;
}

/** The specification's tested configuration: 120000 ms, no automatic retry. */
const openai = new OpenAI({
  baseURL: variable('CHAT_BASE_URL'),
  apiKey: variable('CHAT_API_KEY'),
  timeout: Number(variable('CHAT_TIMEOUT_MS')),
  maxRetries: 0,
});

async function listModels(): Promise<readonly string[]> {
  return (await openai.models.list()).data.map(({ id }) => id);
}

/** The models that take images. */
async function visionModels(): Promise<readonly string[]> {
  const { data }: { data: { id: string; vision: boolean }[] } = await openai.get('/vision-capabilities');
  return data.filter(({ vision }) => vision).map(({ id }) => id);
}

/** The outcome of one request, as far as the client can tell, and the code of a refusal. */
async function complete(item: TaskItem, model: string, idempotencyKey: string) {
  const { text, image: url, maxTokens, stream } = item;
  const parts = [
    { type: 'text' as const, text },
    { type: 'image_url' as const, image_url: { url: url ?? '' } },
  ];
  const message = { role: 'user' as const, content: url === undefined ? text : parts };
  const chat = { model, messages: [message], max_tokens: maxTokens };
  const options = { headers: { 'Idempotency-Key': idempotencyKey } };
  try {
    let isWhole = !stream;
    if (!stream) await openai.chat.completions.create({ ...chat, stream: false }, options);
    else
      for await (const chunk of await openai.chat.completions.create({ ...chat, stream: true }, options))
        isWhole ||= chunk.choices.some((choice) => choice.finish_reason !== null);
    return { outcome: isWhole ? 'served' : 'uncertain' };
  } catch (error) {
    // Only an error object of the service says that nothing was done; the answer of a gateway has none.
    const code = error instanceof APIError ? error.code : undefined;
    return typeof code === 'string' ? { outcome: 'refused', code } : { outcome: 'uncertain' };
  }
}

const task: CallerTask = JSON.parse(variable('CHAT_TASK'));
const queue = [...task.wishes];
let models = await listModels();
/** How many items are in flight at once. */
let width = task.atOnce;

/** How often an item may be sent, counting those that were refused. */
const MOST_ATTEMPTS = 3;

/** Sends an item, and after a refusal what may be sent in its place. */
async function send(item: TaskItem, attempt = 1): Promise<void> {
  const seeing = item.image === undefined ? models : await visionModels();
  const model = models.find((id) => seeing.includes(id));
  if (model === undefined || attempt > MOST_ATTEMPTS) return;
  const idempotencyKey = randomUUID();
  // An uncertain request is never sent again: the reader of the record looks it up in the workspace.
  const { outcome, code } = await complete(item, model, idempotencyKey);
  const line = { wish: item.id, idempotencyKey, outcome };
  appendFileSync(variable('CHAT_RECORD'), `${JSON.stringify(line)}\n`);
  if (code === 'rate_limit') {
    width = Math.max(1, Math.floor(width / 2));
    queue.push(item);
  }
  if (code === 'token_limit') {
    const text = item.text.slice(0, Math.ceil(item.text.length / 2));
    await send({ ...item, text, maxTokens: Math.ceil(item.maxTokens / 2) }, attempt + 1);
  }
  if (code === 'unknown_model') {
    models = await listModels();
    await send(item, attempt + 1);
  }
}

while (queue.length > 0) await Promise.all(queue.splice(0, width).map((item) => send(item)));
