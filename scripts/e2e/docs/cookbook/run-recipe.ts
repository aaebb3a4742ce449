import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { dispatch } from '../../../../mock-server/control/dispatch.ts';
import { type Host, type HostOptions, startMock } from '../../../../mock-server/start-mock.ts';
import { mockOptions } from '../../../cli/mock/mock-options.ts';
import { rawCall, type RawCall } from './raw-call.ts';
import { readPhrases, type Recipe, type RecipeStep } from './read-recipes.ts';
import { isSeen } from './seen.ts';
import { readSending, toRequest } from './to-request.ts';

/** Milliseconds to wait for what a recipe says: only one that is not true needs them. */
const PATIENCE = 10_000;

/** How far a recipe has come. */
interface Course {
  readonly mock: Host;
  /** The JSON of the completion that is asked for. */
  readonly chat: string;
  readonly calls: RawCall[];
  readonly poll: { readonly interval: number; readonly timeout: number };
  /** Of the last request. */
  idempotencyKey: string;
  /** The calls of the last `send` line. */
  latest: readonly RawCall[];
}

/** Does what a recipe says, line by line. Throws for a line that is not true, or a fault that was never triggered. */
export async function runRecipe({ steps }: Recipe, chat: string, timeout = PATIENCE): Promise<void> {
  const mock = await startMock({ ...(await recipeOptions(steps)), control: true });
  const poll = { interval: 5, timeout };
  const course: Course = { mock, chat, poll, calls: [], idempotencyKey: '', latest: [] };
  try {
    for (const step of steps) await take(course, step);
    const { rules }: { rules: readonly { id: string; fired: number }[] } = await ask(mock, 'faults');
    for (const { id, fired } of rules) expect(fired, `${id} was never used`).toBeGreaterThan(0);
    expect(await ask(mock, 'workspace')).toMatchObject({ invariants: [] });
  } finally {
    for (const { hangUp } of course.calls) hangUp();
    await mock.close();
  }
}

/** What `npm run mock` makes of `--fault` and `--world`. */
async function recipeOptions(steps: readonly RecipeStep[]): Promise<HostOptions> {
  const fault = steps.filter(({ verb }) => verb === 'fault').map(({ text }) => text);
  const flags = { fault };
  const world = steps.find(({ verb }) => verb === 'world')?.text;
  if (world === undefined) return mockOptions(flags);
  const folder = await mkdtemp(join(tmpdir(), 'recipe-'));
  const path = join(folder, 'world.json');
  try {
    await writeFile(path, world);
    return await mockOptions({ ...flags, world: path });
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function take(course: Course, { verb, text }: RecipeStep): Promise<void> {
  switch (verb) {
    case 'fault':
    case 'world':
      return;
    case 'run':
      return run(course, text);
    case 'send':
      return send(course, text);
    case 'sees':
      return assertSeen(course, text);
    case 'workspace':
      return assertTold(course, text);
  }
}

async function run({ mock }: Course, command: string): Promise<void> {
  const env = { ...process.env, CONTROL: mock.control };
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { env });
  expect(stdout).not.toContain('"error"');
}

async function send(course: Course, line: string): Promise<void> {
  const sending = readSending(line);
  const bearer = course.mock.keys[sending.key] ?? '';
  course.latest = [];
  for (let sent = 0; sent < sending.count; sent += 1) {
    course.idempotencyKey = sending.idempotencyKey ?? `cookbook-${course.calls.length + 1}`;
    const request = toRequest(sending, course.chat, bearer, course.idempotencyKey);
    const call = rawCall(course.mock.port, request);
    course.calls.push(call);
    course.latest = [...course.latest, call];
    await expect.poll(() => isOver(course, call), course.poll).toBe(true);
  }
}

interface Journal {
  readonly entries: readonly {
    readonly ended: string | null;
    readonly bytesWritten: number;
  }[];
}

/** The service does no more for the last request, and all that it wrote has come. */
async function isOver({ mock, calls }: Course, { heard }: RawCall): Promise<boolean> {
  const { entries }: Journal = await ask(mock, 'journal');
  const entry = entries[calls.length - 1];
  if (entry === undefined || entry.ended === null) return false;
  return heard.bytes.length === entry.bytesWritten;
}

async function assertSeen({ latest, poll }: Course, text: string): Promise<void> {
  const untrue = (): readonly string[] =>
    readPhrases(text).flatMap(({ count, phrase }) => {
      const found = latest.filter(({ heard }) => isSeen(phrase, heard)).length;
      return found === (count ?? latest.length) ? [] : [phrase];
    });
  // That a connection ended is heard a little later than its last byte.
  const came = JSON.stringify(latest.map(({ heard }) => heard));
  await expect.poll(untrue, { ...poll, message: `${text}; came: ${came}` }).toEqual([]);
}

/** What the control API says of a request, as far as recipes speak of it. */
interface Told {
  readonly state: string;
  readonly reservation: { readonly state: string } | null;
  readonly debit: number | null;
}

/** The phrases of `workspace`, and when each is true of a request. */
const TOLD: Readonly<Record<string, (told: Told) => boolean>> = {
  nothing: ({ state, reservation, debit }) =>
    state === 'unreserved' && reservation === null && debit === null,
  succeeded: ({ state }) => state === 'succeeded',
  failed: ({ state }) => state === 'failed',
  'under review': ({ state }) => state === 'under_review',
  'reservation consumed': ({ reservation }) => reservation?.state === 'consumed',
  'reservation released': ({ reservation }) => reservation?.state === 'released',
  'reservation under review': ({ reservation }) => reservation?.state === 'under_review',
  debited: ({ debit }) => debit !== null && debit > 0,
  'no debit': ({ debit }) => debit === null,
};

async function assertTold({ mock, idempotencyKey, poll }: Course, text: string): Promise<void> {
  const untrue = async (): Promise<readonly string[]> => {
    const told: Told = await ask(mock, `requests/${idempotencyKey}`);
    const { requests }: { requests: readonly Told[] } = await ask(mock, 'requests');
    return readPhrases(text).flatMap(({ count, phrase }) => {
      const isTold = TOLD[phrase];
      if (isTold === undefined) throw new Error(`no workspace shows "${phrase}"`);
      const isTrue = count === null ? isTold(told) : requests.filter(isTold).length === count;
      return isTrue ? [] : [phrase];
    });
  };
  await expect.poll(untrue, { ...poll, message: text }).toEqual([]);
}

/** Without a connection, which would be in the journal. */
async function ask<Answer>({ sandboxes }: Host, path: string): Promise<Answer> {
  const message = Object.assign(new IncomingMessage(new Socket()), {
    method: 'GET',
    url: `/control/${path}`,
  });
  const read = { body: Buffer.alloc(0), signal: new AbortController().signal };
  const { body } = await dispatch({ sandboxes, operations: [] }, message, read);
  return JSON.parse(JSON.stringify(body));
}
