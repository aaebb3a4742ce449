import type { ChildProcess } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { readReport } from '../../../suites/engine/reports/read-report.ts';
import { listening } from '../../../suites/engine/test-support/service.ts';
import { type CommandResult, resultOf, spawnCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

/** So much of what is hostile, on the wire, from the status line on; after it the connection is closed. */
function* attack(before: string, unit: string, count: number, after = ''): Generator<Buffer> {
  yield Buffer.from(`HTTP/1.1 200 OK\r\nconnection: close\r\n${before}`, 'latin1');
  const inBlock = Math.max(1, Math.floor((64 * 1024) / unit.length));
  const block = Buffer.from(unit.repeat(inBlock), 'latin1');
  for (let left = count; left > 0; left -= inBlock)
    yield left >= inBlock ? block : block.subarray(0, left * unit.length);
  yield Buffer.from(after);
}

const JSON_TYPE = 'content-type: application/json\r\n';
const CHUNKED = `${JSON_TYPE}transfer-encoding: chunked\r\n\r\n`;
const BOMB = gzipSync(Buffer.alloc(20_000_000, '{"a":')).toString('latin1');

const ATTACKS: Readonly<Record<string, () => Iterable<Buffer>>> = {
  'chunks of one byte': () => attack(CHUNKED, '1\r\nx\r\n', 60_000, '0\r\n\r\n'),
  'empty events': () => attack('content-type: text/event-stream\r\n\r\n', 'data:{\n\n', 400_000),
  'open brackets': () => attack(`${JSON_TYPE}\r\n`, '[', 2_500_000),
  'an endless body': () => attack(`${JSON_TYPE}\r\n`, ' ', 40_000_000),
  'a gzip bomb': () => attack(`${JSON_TYPE}content-encoding: gzip\r\n\r\n`, BOMB, 1),
  'endless headers': () => attack('', 'x-filler: something\r\n', 100_000, '\r\n'),
};

const SERVED = { choices: [{ message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }] };
const MODELS = { data: [{ id: 'any-1' }] };

/** Serves every chat but the first, which it attacks; given `models`, it attacks whoever lists them. */
async function startAttack(onto: 'chat' | 'models', hostile: () => Iterable<Buffer>): Promise<string> {
  let attacks = 0;
  const server = createServer((request, response) => {
    void text(request).then(async () => {
      const asked = request.method === 'GET' ? 'models' : 'chat';
      const isAttacked = asked === onto && (attacks += 1) === 1;
      if (!isAttacked) {
        response.setHeader('content-type', 'application/json');
        return response.end(JSON.stringify(asked === 'models' ? MODELS : SERVED));
      }
      // Whoever is attacked may hang up at any time.
      return pipeline(Readable.from(hostile()), request.socket).catch(() => {});
    });
  });
  onTestFinished(() => expect(attacks).toBeGreaterThan(0));
  return `${await listening(server)}/v1`;
}

/** The most memory that a process has had, in MB; 0 where the system does not say, and once it has ended. */
function peakOf({ pid }: ChildProcess): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1000;
  } catch {
    return 0;
  }
}

/** Runs the command against a service that makes one attack. It stays within bounds of memory and of its journal. */
async function attackedRun(baseUrl: string): Promise<CommandResult & { readonly report: string }> {
  const report = temporaryFolder();
  const flags = ['--tier', 'smoke', '--seed', '4', '--timeout', '20000', '--quiet', '--only', 'REQ-6,RES-1'];
  const child = spawnCommand([...flags, '--base-url', baseUrl, '--report', report], {
    CHAT_API_KEY: 'sk-a-key-of-an-attack-4711',
  });
  let megabytes = 0;
  const timer = setInterval(() => (megabytes = Math.max(megabytes, peakOf(child))), 50);
  const result = await resultOf(child);
  clearInterval(timer);
  expect(result.stderr).not.toContain('internal error');
  expect(megabytes).toBeLessThan(512);
  const journal = statSync(join(report, 'journal.ndjson'), { throwIfNoEntry: false });
  expect(journal?.size ?? 0).toBeLessThan(12e6);
  return { ...result, report };
}

test.each(Object.entries(ATTACKS))(
  'ends in a report, with bounded memory and journal, given %s',
  async (_, hostile) => {
    const { code, report } = await attackedRun(await startAttack('chat', hostile));
    expect([code, readReport(report).outcome]).toEqual([1, 'violations']);
  },
);

test('says in one line why nothing was tested given a list of too many models', async () => {
  const models = () => attack(`${JSON_TYPE}\r\n{"data":[`, '{"id":"m"},', 200_000, '{"id":"m"}]}');
  const { code, stderr } = await attackedRun(await startAttack('models', models));
  expect([code, stderr]).toEqual([4, expect.stringMatching(/^error: .*were kept/m)]);
});
