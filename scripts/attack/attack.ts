import { attackedRun } from './attacked-run.ts';
import { ATTACKS, type AttackName } from './attacks.ts';

// npm run attack -- [NAME …]: the command against hostile answers of full size, each of which must end in a report.

const MOST_SECONDS = 60;
const MOST_MB = 512;

const isName = (word: string): word is AttackName => Object.hasOwn(ATTACKS, word);
const row = (...cells: string[]): void => void process.stdout.write(`| ${cells.join(' | ')} |\n`);

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !isName(name));
if (unknown !== undefined) {
  process.stderr.write(`error: no attack is called "${unknown}": ${Object.keys(ATTACKS).join(', ')}\n`);
  process.exit(2);
}

row('attack', 'size', 's', 'RSS, MB', 'journal, MB', 'exit', 'outcome');
row(...Array.from({ length: 7 }, () => '---'));
for (const name of Object.keys(ATTACKS).filter(isName)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const { at, size } = ATTACKS[name];
  const { code, seconds, rss, journalMB, outcome, stderr } = await attackedRun(name, size);
  row(
    name,
    String(size),
    seconds.toFixed(1),
    rss.toFixed(0),
    journalMB.toFixed(1),
    String(code),
    outcome ?? '–',
  );
  // Without a list of models there is nothing to report but that.
  const isReported = outcome !== undefined || (at === 'models' && code === 4);
  if (isReported && seconds <= MOST_SECONDS && rss <= MOST_MB) continue;
  process.stdout.write(`${stderr.slice(-1000)}\n`);
  process.exitCode = 1;
}
