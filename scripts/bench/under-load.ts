import { answersOf, chats, sendAll, worldFile } from './chats.ts';
import { compare, type Row } from './measure.ts';
import { BARE, COMMAND, cpuSeconds, kilobytes, type Program, start } from './programs.ts';

const CONNECTIONS = 64;
const REQUESTS = 40_000;
const ROUNDS = 5;

export const completions = (): Promise<readonly Row[]> => underLoad('completions', false);
export const streams = (): Promise<readonly Row[]> => underLoad('streams', true);

/** What completions cost the mock, and a bare server that answers with as many bytes. */
async function underLoad(what: string, stream: boolean): Promise<readonly Row[]> {
  const mock = await start(COMMAND, 'mock', '--world', worldFile(CONNECTIONS));
  const samples = await answersOf(mock, chats(mock, 50, stream));
  const bytes = Math.round(samples.reduce((sum, { text }) => sum + text.length, 0) / samples.length);
  const bare = await start(BARE, 'serve', String(bytes), samples[0]?.type ?? '');
  const load = async (server: Program) => {
    const before = cpuSeconds(server);
    const aSecond = await sendAll(server, chats(mock, REQUESTS, stream), CONNECTIONS);
    // What a request costs the server, whoever waits for whom.
    return { aSecond, aSecondOfCpu: REQUESTS / (cpuSeconds(server) - before) };
  };
  await load(bare);
  await load(mock);
  const [ours, theirs] = [() => load(mock), () => load(bare)];
  const measured = await compare(ROUNDS, ours, theirs);
  const memory = { ours: kilobytes(mock) / 1000, bare: kilobytes(bare) / 1000 };
  const all = (REQUESTS * (ROUNDS + 1)).toLocaleString('en');
  return [
    { what: `${what} a second of the server's CPU`, ...measured('aSecondOfCpu'), goal: 'at least 0.75' },
    { what: `${what} a second`, ...measured('aSecond'), goal: '' },
    { what: `memory after ${all} ${what}, MB`, ...memory, goal: '' },
  ];
}
