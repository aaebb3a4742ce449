import { answersOf, chats, sendAll } from './chats.ts';
import { compare, type Row } from './measure.ts';
import { BARE, COMMAND, type Program, start, temporaryFolder } from './programs.ts';

const ROUNDS = 5;
const CONNECTIONS = 64;
const REQUESTS = 6000;
const ALONE = 1500;
const CALLER = { keys: { primary: 'key-of-the-benchmark' } };

/** The proxy in front of a service that costs next to nothing, and says what the mock says: that takes judging. */
export async function throughProxy(): Promise<readonly Row[]> {
  const mock = await start(COMMAND, 'mock');
  const [answer] = await answersOf(mock, chats(mock, 1));
  const target = await start(BARE, 'serve', answer?.text ?? '');
  const report = temporaryFolder();
  const proxy = await start(COMMAND, 'proxy', '--quiet', '--target', target.url, '--report', report);
  const bare = await start(BARE, 'pass', target.url);
  const through = async (server: Program) => {
    const aSecond = await sendAll(server, chats(CALLER, REQUESTS), CONNECTIONS);
    const direct = await microseconds(target);
    return { aSecond, delay: (await microseconds(server)) - direct };
  };
  const measured = await compare(
    ROUNDS,
    () => through(proxy),
    () => through(bare),
  );
  return [
    { what: 'requests a second through the proxy', ...measured('aSecond'), goal: 'at least 0.5' },
    { what: 'delay of a request by the proxy, µs', ...measured('delay'), goal: 'ours at most 1,000' },
  ];
}

/** What a request takes that is sent alone. */
async function microseconds(server: Program): Promise<number> {
  return 1e6 / (await sendAll(server, chats(CALLER, ALONE), 1));
}
