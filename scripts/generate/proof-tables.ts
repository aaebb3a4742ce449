import { DEFECTS, defectNames } from '../../mock-server/defects/defects.ts';
import type { World, WorldKind } from '../proof/world.ts';
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
  // Every world but those with a defect, and what a run must say of it.
  worlds: [
    ['name', 'kind', 'a run must …'],
    ...WORLDS.filter(({ kind }) => kind !== 'defect').map((world) => [
      `\`${world.name}\``,
      world.kind,
      mustOf(world),
    ]),
  ],
};

function mustOf({ kind, expected: { breaks, doubted = [], ends, leaves } }: World): string {
  switch (kind) {
    case 'broken-caller':
      return `blame ${breaks.join(', ')}`;
    case 'doubtful-caller':
      return `doubt ${doubted.join(', ')}`;
    case 'adversary':
      return `end with ${ends.map((end) => (end === 'refused' ? 'one message' : end)).join(' or ')}`;
    case 'faithful-caller':
    case 'defect':
      return 'blame nothing';
    case 'variant': {
      const { unreadable = [], untestable = [] } = leaves ?? {};
      const left = [
        ...untestable.map((clause) => `; leave ${clause} unexercised`),
        ...unreadable.map((clause) => `; leave ${clause} to a profile`),
      ];
      return `blame nothing${left.join('')}`;
    }
  }
}
