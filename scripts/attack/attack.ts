import { attackedRun, type MeasuredCommand } from './attacked-run.ts';
import { type Attack, ATTACKS, type AttackName } from './attacks.ts';
import { LARGE_JOURNALS, largeJournal } from './large-journal.ts';

// npm run attack -- [NAME[=SIZE] …]: the command against hostile answers of full size, and its reports of large journals,
// whose size is in MB. Each must end in a report, within these bounds.

const MOST_SECONDS = 60;
const MOST_MB = 512;
const MOST_MB_OF_READER = 300;

/** One of them, ready to be made. */
interface PreparedAttack {
  readonly size: number;
  readonly make: (size: number) => Promise<MeasuredCommand>;
  readonly isWithstood: (run: MeasuredCommand) => boolean;
}

const isName = (word: string): word is AttackName => Object.hasOwn(ATTACKS, word);

function answerAttack(name: AttackName): PreparedAttack {
  const { at, size }: Attack = ATTACKS[name];
  return {
    size,
    make: (asked) => attackedRun(name, asked),
    // Without a list of models there is nothing to report but that.
    isWithstood: ({ outcome, code, seconds, rss }) =>
      (outcome !== undefined || (at === 'models' && code === 4)) && seconds <= MOST_SECONDS && rss <= MOST_MB,
  };
}

function journalAttack({
  size,
  bodyBytes,
}: (typeof LARGE_JOURNALS)[keyof typeof LARGE_JOURNALS]): PreparedAttack {
  return {
    size,
    make: (megabytes) => largeJournal(megabytes, bodyBytes),
    isWithstood: ({ outcome, rss }) => outcome !== undefined && rss <= MOST_MB_OF_READER,
  };
}

const all = new Map<string, PreparedAttack>([
  ...Object.keys(ATTACKS)
    .filter(isName)
    .map((name) => [name, answerAttack(name)] as const),
  ...Object.entries(LARGE_JOURNALS).map(([name, journal]) => [name, journalAttack(journal)] as const),
]);

const row = (...cells: string[]): void => void process.stdout.write(`| ${cells.join(' | ')} |\n`);

async function makeAttack(name: string, { size, make, isWithstood }: PreparedAttack): Promise<void> {
  const run = await make(size);
  const { code, seconds, rss, journalMB, outcome = '–', stderr } = run;
  row(name, `${size}`, seconds.toFixed(1), rss.toFixed(0), journalMB.toFixed(1), `${code}`, outcome);
  if (isWithstood(run)) return;
  process.stdout.write(`not within its bounds\n${stderr.slice(-1000)}\n`);
  process.exitCode = 1;
}

const words = process.argv.slice(2);
const asked = words.length > 0 ? words : [...all.keys()];
const chosen = asked.map((word) => {
  const [name = '', size] = word.split('=');
  const attack = all.get(name);
  return { name, attack: attack && { ...attack, size: Number(size ?? attack.size) } };
});
const unknown = chosen.find(({ attack }) => attack === undefined || !(attack.size > 0));
if (unknown !== undefined) {
  process.stderr.write(
    `error: no attack is called "${unknown.name}", or it has no size: ${[...all.keys()].join(', ')}\n`,
  );
  process.exit(2);
}

row('attack', 'size', 's', 'RSS, MB', 'journal, MB', 'exit', 'outcome');
row(...Array.from({ length: 7 }, () => '---'));
for (const { name, attack } of chosen) if (attack !== undefined) await makeAttack(name, attack);
