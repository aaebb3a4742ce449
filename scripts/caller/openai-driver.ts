import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import OpenAI, { APIError } from 'tested-client';
import type { CallerTask } from './caller-inputs.ts';
import type { TaskItem } from './scenarios.ts';

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

/** The outcome of one request, as far as the client can tell. */
type Outcome =
  | { readonly kind: 'served' | 'uncertain' }
  | { readonly kind: 'refused'; readonly code: string };

async function listModels(): Promise<readonly string[]> {
  return (await openai.models.list()).data.map(({ id }) => id);
}

/** The models that take images. */
async function visionModels(): Promise<readonly string[]> {
  const { data }: { data: { id: string; vision: boolean }[] } = await openai.get('/vision-capabilities');
  return data.filter(({ vision }) => vision).map(({ id }) => id);
}

async function complete(item: TaskItem, model: string, idempotencyKey: string): Promise<Outcome> {
  const { text, image: url, maxTokens, stream } = item;
  const parts = [
    { type: 'text' as const, text },
    { type: 'image_url' as const, image_url: { url: url ?? '' } },
  ];
  const message = { role: 'user' as const, content: url === undefined ? text : parts };
  const chat = { model, messages: [message], max_tokens: maxTokens };
  const options = { headers: { 'Idempotency-Key': idempotencyKey } };
  try {
    if (!stream) {
      await openai.chat.completions.create({ ...chat, stream: false }, options);
      return { kind: 'served' };
    }
    let isWhole = false;
    for await (const chunk of await openai.chat.completions.create({ ...chat, stream: true }, options))
      isWhole ||= chunk.choices.some((choice) => choice.finish_reason !== null);
    return { kind: isWhole ? 'served' : 'uncertain' };
  } catch (error) {
    // Only an error object of the service says that nothing was done; the answer of a gateway has none.
    return error instanceof APIError && typeof error.code === 'string'
      ? { kind: 'refused', code: error.code }
      : { kind: 'uncertain' };
  }
}

const task: CallerTask = JSON.parse(variable('CHAT_TASK'));
const queue = [...task.wishes];
let models = await listModels();
/** How many items are in flight at once. */
let width = task.atOnce;

/** What to send now in place of a refused item; undefined: nothing, or not yet. */
async function afterRefusal(item: TaskItem, code: string): Promise<TaskItem | undefined> {
  switch (code) {
    case 'rate_limit':
      width = Math.max(1, Math.floor(width / 2));
      queue.push(item);
      return undefined;
    case 'token_limit': {
      const text = item.text.slice(0, Math.ceil(item.text.length / 2));
      return { ...item, text, maxTokens: Math.ceil(item.maxTokens / 2) };
    }
    case 'unknown_model':
      models = await listModels();
      return item;
    default:
      return undefined;
  }
}

/** How often an item may be sent, counting those that were refused. */
const MOST_ATTEMPTS = 3;

/** Sends an item, and after a refusal what may be sent in its place. */
async function send(item: TaskItem): Promise<void> {
  let wanted: TaskItem | undefined = item;
  for (let attempt = 0; attempt < MOST_ATTEMPTS && wanted !== undefined; attempt += 1) {
    const seeing = wanted.image === undefined ? models : await visionModels();
    const model = models.find((id) => seeing.includes(id));
    if (model === undefined) return;
    const idempotencyKey = randomUUID();
    const outcome = await complete(wanted, model, idempotencyKey);
    const line = { wish: item.id, idempotencyKey, outcome: outcome.kind };
    appendFileSync(variable('CHAT_RECORD'), `${JSON.stringify(line)}\n`);
    // An uncertain request is never sent again: the reader of the record looks it up in the workspace.
    wanted = outcome.kind === 'refused' ? await afterRefusal(wanted, outcome.code) : undefined;
  }
}

while (queue.length > 0) await Promise.all(queue.splice(0, width).map(send));
