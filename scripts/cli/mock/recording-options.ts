import { type NetworkFlags, rejectNetworkFlags } from '../options/network-flags.ts';
import { UsageError } from '../terminal/exit.ts';
import { noteLine } from '../terminal/output.ts';
import type { RecordedAnswers } from './record-answers.ts';

interface AskedRecording {
  /** Base URL of the service. */
  readonly record?: string | undefined;
  /** Path of the file. */
  readonly recording?: string | undefined;
  /** How to get to the service. */
  readonly network: NetworkFlags;
  /** What cannot stand beside the world of a recording; undefined: not given. */
  readonly beside: Readonly<Record<string, unknown>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A shorter key could not be told from other words when it is redacted. */
const SHORTEST_KEY = 8;

/** The world of a recording, and who answers what it lacks. Throws a UsageError; the message never shows the key. */
export async function recordingOf(
  { record, recording, network, beside }: AskedRecording,
  environment: Environment,
): Promise<Partial<RecordedAnswers>> {
  if (record === undefined && recording !== undefined) throw new UsageError('--recording requires --record');
  if (record === undefined) {
    rejectNetworkFlags(network, '--record: the mock alone sends nothing');
    return {};
  }
  const other = Object.keys(beside).find((name) => beside[name] !== undefined);
  if (other !== undefined)
    throw new UsageError(
      `--record cannot be combined with --${other}: the recording is the world of the mock`,
    );
  const { baseUrlOf } = await import('../options/target-options.ts');
  const baseUrl = baseUrlOf(record, '--record');
  const apiKey = environment['CHAT_API_KEY']?.trim() ?? '';
  if (apiKey.length < SHORTEST_KEY)
    throw new UsageError('--record requires the key of the service in CHAT_API_KEY');
  const { resolveNetwork } = await import('../options/network-options.ts');
  const way = await resolveNetwork(network, environment);
  const { recordAnswers } = await import('./record-answers.ts');
  const { transportTo } = await import('./recorded-service.ts');
  const transport = transportTo(baseUrl, way);
  const key = ownKey(environment['CHAT_RECORDING_KEY'], apiKey);
  return recordAnswers({ baseUrl, apiKey, key, transport, file: recording ?? 'recording.json', log });
}

/** What anyone can guess opens what pays. */
const OWN_KEY = /^[A-Za-z0-9\-._~+/]{16,}=*$/;

function ownKey(given: string | undefined, apiKey: string): string | undefined {
  const key = given?.trim();
  if (key === undefined || key === '') return undefined;
  if (!OWN_KEY.test(key) || key === apiKey)
    throw new UsageError(
      'CHAT_RECORDING_KEY must be a key of its own: 16 or more of A-Z a-z 0-9 - . _ ~ + /',
    );
  return key;
}

function log(line: string): void {
  noteLine(`mock: ${line}`);
}
