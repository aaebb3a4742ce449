import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { CHECKS, INVARIANTS } from './catalogue.ts';
import { readJournal } from './engine/journal/read-journal.ts';
import type { Recording } from './engine/journal/recording.ts';
import { judgedThen, rejudge } from './engine/running/rejudge.ts';
import { summarise } from './engine/summary/summarise.ts';

const FOLDER = new URL('../fixtures/recorded/journals/', import.meta.url);

function verdicts(recording: Recording) {
  return Object.fromEntries(summarise(recording).checks.map(({ id, verdict }) => [id, verdict]));
}

/** The names of what a trial recorded belong to the format of the journal: renaming one would lose what was recorded. */
test.each(readdirSync(FOLDER))(
  'gives the verdicts of the run itself given the journal of release %s',
  (name) => {
    const recording = readJournal(fileURLToPath(new URL(name, FOLDER)));
    const then = verdicts(judgedThen(recording, INVARIANTS));
    const checks = CHECKS.filter(({ id }) => then[id] !== undefined);
    const invariants = INVARIANTS.filter(({ id }) => then[id] !== undefined);
    const now = verdicts(rejudge(recording, checks, invariants));
    expect(Object.keys(now).length).toBeGreaterThan(20);
    // A check of that release may be gone.
    expect(then).toMatchObject(now);
  },
);
