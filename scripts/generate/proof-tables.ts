import { DEFECTS, defectNames } from '../../mock-server/defects/defects.ts';
import type { WorldKind } from '../proof/proof-run.ts';
import { WORLDS } from '../proof/worlds.ts';

/** The rows of a table, each with its cells. */
export type Rows = readonly (readonly string[])[];

/** A table of a document, by its name. */
export type Tables = Readonly<Record<string, readonly [head: Rows[number], ...Rows]>>;

const KINDS: Readonly<Record<WorldKind, readonly [what: string, expected: string]>> = {
  defect: [
    'the mock with one defect, and once with six',
    'every clause that it breaks is blamed, any other only for a stated reason',
  ],
  adversary: ['an adversary', 'a report or one clear message, and no false pass'],
  variant: [
    'a faithful service: the mock, the second service, and their variants',
    'outcome `conformant`, no warning',
  ],
  'broken-caller': ['a broken caller', 'every clause that it breaks is blamed, and no other'],
  'doubtful-caller': [
    'a caller that may pay twice',
    'every clause that it may break is in doubt, none is blamed, and the run is incomplete',
  ],
  'faithful-caller': ['a faithful caller', 'no clause is blamed'],
};

export const PROOF_TABLES: Tables = {
  // Every defect of the mock: the clauses that it breaks, what is wrong, and what else a run may blame.
  defects: [
    ['defect', 'breaks', 'what is wrong', 'may also be blamed for'],
    ...defectNames().map((name) => {
      const { clauses, story, alsoBlamed = {} } = DEFECTS[name];
      const also = Object.entries(alsoBlamed).map(([clause, reason]) => `${clause}: ${reason}`);
      return [`\`${name}\``, clauses.join(', '), story, also.join('; ')];
    }),
  ],
  // What the proof tries, and what it expects.
  proof: [
    ['kind', 'what is tried', 'how many', 'expected'],
    ...Object.entries(KINDS).map(([name, [what, expected]]) => {
      const count = WORLDS.filter(({ kind }) => kind === name).length;
      return [`\`${name}\``, what, String(count), expected];
    }),
  ],
  // Every world but those with a defect, and the clauses or ends that its kind is about.
  worlds: [
    ['name', 'kind', 'blamed, in doubt, left open, or how it ends'],
    ...WORLDS.filter(({ kind }) => kind !== 'defect').map(({ name, kind, expected }) => {
      const { breaks, doubted = [], ends, leaves: { untestable = [], unreadable = [] } = {} } = expected;
      const about = kind === 'adversary' ? ends : [...breaks, ...doubted, ...untestable, ...unreadable];
      return [`\`${name}\``, kind, about.join(', ')];
    }),
  ],
};
