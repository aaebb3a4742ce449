import { type ClauseId, clauseIds } from '../../fixtures/clauses/clauses.ts';
import { CALLER_CHECKS } from '../../suites/caller-catalogue.ts';
import { CHECKS, INVARIANTS } from '../../suites/catalogue.ts';
import type { Complaint, ProofRun, Said, World } from './proof-run.ts';
import type { Leaves } from './variants/variant.ts';
import { worldNamed } from './worlds.ts';

/** What is wrong with one run, one line each. */
export function problemsOf(run: ProofRun): readonly string[] {
  const { expected } = worldNamed(run.world);
  const { outcome, messages, complaints, passed, imbalances, size, seed } = run;
  const { breaks, doubted = [], ends, keeps = passed, leaves } = expected;
  const failures = failuresIn(run);
  const isDoubted = (clause: ClauseId): boolean =>
    about(clause, complaints).some(({ verdict }) => verdict === 'inconclusive');
  const problems = [
    ...breaks
      .filter((clause) => about(clause, failures).length === 0)
      .map((clause) => `no check blames ${clause}${saidOf(clause, run)}`),
    ...failures
      .filter((failure) => !isExpected(expected, failure))
      .map(({ id, clauses, reason }) => `${id} blames ${clauses.join(', ')} (${reason})`),
    ...(ends.includes(outcome)
      ? []
      : [`the run ended as ${outcome}${messages.map((message) => ` (${message})`).join('')}`]),
    ...doubted.filter((clause) => !isDoubted(clause)).map((clause) => `no check doubts ${clause}`),
    ...passed.filter((clause) => !keeps.includes(clause)).map((clause) => `${clause} passed`),
    ...imbalances,
    ...complaints
      .filter(isSeveralSentences)
      .map(({ id, reason }) => `${id} says several sentences: ${reason}`),
    // At full size more is exercised, which no list tells.
    ...(leaves === undefined || size === 'full' ? [] : unlisted(leaves, breaks, run)),
  ];
  return problems.map((problem) => `${run.world} (${size}, seed ${seed}): ${problem}`);
}

function about(clause: ClauseId, complaints: readonly Complaint[]): readonly Complaint[] {
  return complaints.filter(({ clauses }) => clauses.includes(clause));
}

/** The checks of a run that found fault; `error` is a failure of ours. */
function failuresIn({ complaints }: Said): readonly Complaint[] {
  return complaints.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn' || verdict === 'error');
}

function isExpected({ breaks, alsoBlamed }: World['expected'], { verdict, clauses }: Complaint): boolean {
  if (verdict === 'error') return false;
  if (alsoBlamed === 'anything') return true;
  return clauses.some((clause) => breaks.includes(clause) || Object.hasOwn(alsoBlamed, clause));
}

/** Whether the reason of no verdict says more than one sentence with its way out; what it quotes does not count. */
function isSeveralSentences({ verdict, reason }: Complaint): boolean {
  if (verdict === 'fail' || verdict === 'warn' || verdict === 'error') return false;
  const plain = reason.replaceAll(/"(?:[^"\\]|\\.)*"|\([^()]*\)/g, '');
  return (plain.match(/: |[;.] /g) ?? []).length > 1;
}

/** Why the checks of a clause gave no verdict, where they say so. */
function saidOf(clause: ClauseId, { complaints }: Said): string {
  const reasons = about(clause, complaints);
  return reasons.map(({ id, verdict, reason }) => ` (${id} is ${verdict}: ${reason})`).join('');
}

/** Whether a text for people says how more could be exercised. */
const SAYS_THE_WAY_OUT = /profile|see [A-Z]+-\d/;

/** Whether a stream is on time, and so whether STR-2 is exercised, depends on how busy the machine is. */
const isSteady = (clause: ClauseId): boolean => clause !== 'STR-2';

/** How what a run left unexercised differs from what its world lists. */
function unlisted(
  { unreadable = [], untestable = [] }: Leaves,
  breaks: readonly ClauseId[],
  { complaints, unexercised }: Said,
): readonly string[] {
  const listed = [...unreadable, ...untestable];
  // One broken clause may hide another, if the run says so.
  const isExplained = (clause: ClauseId): boolean =>
    about(clause, complaints).some(({ reason }) => breaks.some((broken) => reason.includes(`see ${broken}`)));
  const hasWayOut = (clause: ClauseId): boolean =>
    about(clause, complaints).some(
      ({ verdict, hint, reason }) => verdict === 'not-exercised' && SAYS_THE_WAY_OUT.test(hint ?? reason),
    );
  const surprises = {
    'is not exercised': unexercised.filter((clause) => !listed.includes(clause) && !isExplained(clause)),
    'is exercised, but listed as unexercised': listed.filter((clause) => !unexercised.includes(clause)),
    'is not exercised, and no check says how it could be': unreadable.filter((clause) => !hasWayOut(clause)),
  };
  return Object.entries(surprises).flatMap(([what, clauses]) =>
    clauses.filter(isSteady).map((clause) => `${clause} ${what}`),
  );
}

/** What is wrong with the catalogue of checks and worlds, as all runs together show it. */
export function problemsOfCatalogue(runs: readonly ProofRun[]): readonly string[] {
  const needless = needlessBlames(runs).map(
    ([defect, clause]) => `${defect}: no run blames ${clause}: delete it from the defect's \`alsoBlamed\``,
  );
  return [...unfailedChecks(runs), ...untriedPoints(runs), ...needless];
}

/** The failures of a run that blame a clause which the world breaks, or the others. */
function failuresOf(run: ProofRun, isDeserved: boolean): readonly Complaint[] {
  const { breaks } = worldNamed(run.world).expected;
  return failuresIn(run).filter(
    ({ clauses }) => clauses.some((clause) => breaks.includes(clause)) === isDeserved,
  );
}

function unfailedChecks(runs: readonly ProofRun[]): readonly string[] {
  const failed = new Set(runs.flatMap((run) => failuresOf(run, true)).map(({ id }) => id));
  return [...CHECKS, ...INVARIANTS, ...CALLER_CHECKS]
    .filter(({ id }) => !failed.has(id))
    .map(({ id }) => `${id}: no world that breaks its clause makes it fail: add one that does`);
}

/** A temperature that every run needs, and a request ID of the service's own: no faithful service differs. */
const ALIKE: ReadonlySet<string> = new Set(['bounds.temperature.1', 'error.request_id.source']);

/** Open points that every faithful service fills alike: a check that asserts one of them would blame none of these. */
function untriedPoints(runs: readonly ProofRun[]): readonly string[] {
  const faithful = runs.filter(({ world }) => worldNamed(world).kind === 'variant');
  const seen = Map.groupBy(
    faithful.flatMap(({ observed }) => Object.entries(observed)),
    ([point]) => point,
  );
  return [...seen]
    .filter(([point, all]) => !ALIKE.has(point) && new Set(all.map(([, value]) => value)).size === 1)
    .map(([point]) => `${point}: every faithful service fills it alike: add a variant that does not`);
}

/** Entries of `alsoBlamed` that none of these runs needs: they would hide that a check blames a clause which the defect keeps. */
export function needlessBlames(runs: readonly ProofRun[]): readonly (readonly [defect: string, ClauseId])[] {
  return [...Map.groupBy(runs, ({ world }) => world)].flatMap(([name, own]) => {
    const { alsoBlamed } = worldNamed(name).expected;
    if (alsoBlamed === 'anything') return [];
    const blamed = new Set(own.flatMap((run) => failuresOf(run, false)).flatMap(({ clauses }) => clauses));
    return clauseIds()
      .filter((clause) => Object.hasOwn(alsoBlamed, clause) && !blamed.has(clause))
      .map((clause) => [name, clause] as const);
  });
}
