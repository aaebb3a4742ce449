import { readTask, driveFaithfully, type DriverChat, type DriverOutcome } from './faithful-driver.ts';

const task = readTask();
const authorization = `Bearer ${task.apiKey}`;

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Resolves to null if no whole answer arrived. */
async function ask(path: string, more: Record<string, string> = {}, body?: string): Promise<Answer | null> {
  const headers = { authorization, ...more };
  const init = body === undefined ? {} : { method: 'POST', body };
  try {
    const signal = AbortSignal.timeout(task.timeoutMs);
    const response = await fetch(`${task.baseUrl}${path}`, { ...init, headers, signal });
    return { status: response.status, body: await response.text() };
  } catch {
    return null;
  }
}

/** A gateway's answer is not JSON, and has no code. */
function codeIn(body: string): string | undefined {
  try {
    const { error }: { error?: { code?: string } } = JSON.parse(body);
    return error?.code;
  } catch {
    return undefined;
  }
}

async function complete(chat: DriverChat, idempotencyKey: string): Promise<DriverOutcome> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': idempotencyKey };
  const answer = await ask('/chat/completions', headers, JSON.stringify(chat));
  if (answer === null) return { kind: 'uncertain' };
  if (answer.status === 200) {
    const isWhole = !chat.stream || answer.body.includes('data: [DONE]');
    return { kind: isWhole ? 'served' : 'uncertain' };
  }
  const code = codeIn(answer.body);
  return code === undefined ? { kind: 'uncertain' } : { kind: 'refused', code };
}

/** The IDs in a list; none if it could not be read. */
async function list(
  path: string,
  isWanted: (record: { vision?: boolean }) => boolean,
): Promise<readonly string[]> {
  const answer = await ask(path);
  if (answer?.status !== 200) return [];
  const { data }: { data: { id: string; vision?: boolean }[] } = JSON.parse(answer.body);
  return data.filter(isWanted).map(({ id }) => id);
}

await driveFaithfully(task, {
  models: () => list('/models', () => true),
  visionModels: () => list('/vision-capabilities', ({ vision }) => vision === true),
  complete,
});
