import OpenAI, { APIConnectionError, APIError } from 'tested-client';
import { readTask, driveFaithfully, type DriverChat, type DriverOutcome } from './faithful-driver.ts';

const task = readTask();

/** The specification's tested configuration: 120000 ms, no automatic retry. */
const openai = new OpenAI({
  baseURL: task.baseUrl,
  apiKey: task.apiKey,
  timeout: task.timeoutMs,
  maxRetries: 0,
});

async function complete(chat: DriverChat, idempotencyKey: string): Promise<DriverOutcome> {
  const { stream, ...rest } = chat;
  const body = { ...rest, messages: [...rest.messages] };
  const options = { headers: { 'Idempotency-Key': idempotencyKey } };
  try {
    if (!stream) {
      await openai.chat.completions.create({ ...body, stream: false }, options);
      return { kind: 'served' };
    }
    let isWhole = false;
    for await (const chunk of await openai.chat.completions.create({ ...body, stream: true }, options))
      isWhole ||= chunk.choices.some((choice) => choice.finish_reason !== null);
    return { kind: isWhole ? 'served' : 'uncertain' };
  } catch (error) {
    return outcomeOf(error);
  }
}

/** Only an error object of the service says that nothing was done; the answer of a gateway has none. */
function outcomeOf(error: unknown): DriverOutcome {
  if (error instanceof APIConnectionError || !(error instanceof APIError)) return { kind: 'uncertain' };
  return typeof error.code === 'string' ? { kind: 'refused', code: error.code } : { kind: 'uncertain' };
}

async function visionModels(): Promise<readonly string[]> {
  const { data }: { data: { id: string; vision: boolean }[] } = await openai.get('/vision-capabilities');
  return data.filter(({ vision }) => vision).map(({ id }) => id);
}

await driveFaithfully(task, {
  models: async () => (await openai.models.list()).data.map(({ id }) => id),
  visionModels,
  complete,
});
