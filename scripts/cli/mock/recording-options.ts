import type { MockOptions } from '../../../mock-server/start-mock.ts';
import { UsageError } from '../terminal/exit.ts';

interface AskedRecording {
  /** Base URL of the service. */
  readonly record?: string | undefined;
  /** Path of the file. */
  readonly recording?: string | undefined;
  /** What cannot stand beside the world of a recording; undefined: not given. */
  readonly beside: Readonly<Record<string, unknown>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A shorter key could not be told from other words when it is redacted. */
const SHORTEST_KEY = 8;

/** The world of a recording, and who answers what it lacks. Throws a UsageError; the message never shows the key. */
export async function recordingOf(
  { record, recording, beside }: AskedRecording,
  environment: Environment,
): Promise<Pick<MockOptions, 'world' | 'upstream'>> {
  if (record === undefined && recording !== undefined) throw new UsageError('--recording requires --record');
  if (record === undefined) return {};
  const other = Object.keys(beside).find((name) => beside[name] !== undefined);
  if (other !== undefined)
    throw new UsageError(
      `--record cannot be combined with --${other}: the recording is the world of the mock`,
    );
  if (!/^https?:$/.test(URL.parse(record)?.protocol ?? ''))
    throw new UsageError('--record requires the base URL of a service');
  const apiKey = environment['CHAT_API_KEY']?.trim() ?? '';
  if (apiKey.length < SHORTEST_KEY)
    throw new UsageError('--record requires the key of the service in CHAT_API_KEY');
  const { recordAnswers } = await import('./record-answers.ts');
  return recordAnswers({ baseUrl: record, apiKey, file: recording ?? 'recording.json', log });
}

function log(line: string): void {
  process.stderr.write(`mock: ${line}\n`);
}
