import { fileURLToPath } from 'node:url';
import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import type { StartCaller } from '../../caller/caller-inputs.ts';
import type { CallerScenarioName } from '../../caller/scenarios.ts';
import { startCommand } from '../../caller/start-command.ts';
import { BROKEN_REACTIONS } from './broken-reactions.ts';
import { BROKEN_REQUESTS } from './broken-requests.ts';
import { FAITHFUL_CALLERS } from './faithful-callers.ts';
import { EVERY, type ProofCaller } from './proof-caller.ts';

const DEADLINE_MS = 60_000;

function node(args: readonly string[]): StartCaller {
  return startCommand({
    program: process.execPath,
    args,
    deadlineMs: DEADLINE_MS,
    names: {},
    signal: new AbortController().signal,
  });
}

/** A program of this folder, which may import the packages of this project. */
function program(name: string): StartCaller {
  return node([fileURLToPath(new URL(`programs/${name}.mjs`, import.meta.url))]);
}

const OPENAI_DRIVER = fileURLToPath(new URL('../../caller/openai-driver.ts', import.meta.url));

/** By the clauses that each breaks, the scenarios in which it is tried, and its program. */
const PROGRAMS: Readonly<
  Record<string, readonly [readonly ClauseId[], readonly CallerScenarioName[], StartCaller]>
> = {
  'html-crashes-it': [['CALL-8'], ['html-answer'], program('crashes-on-html')],
  'leaves-late-and-ends': [['CALL-6'], ['late-answer'], program('leaves-and-ends')],
  'openai-client-as-specified': [[], EVERY, node([OPENAI_DRIVER])],
  'gives-up-without-closing-and-looks': [[], ['no-answer'], program('gives-up-and-looks-up')],
};

/** Callers in processes of their own: what crashes, ends or says something at its end. */
const PROCESS_CALLERS: readonly ProofCaller[] = Object.entries(PROGRAMS).map(
  ([name, [clauses, scenarios, start]]) => {
    const kind = clauses.length === 0 ? 'faithful-caller' : 'broken-caller';
    return { name, kind, clauses, scenarios, start };
  },
);

/** Callers whose faults are known, to prove the judge of callers with: first those that take longest. */
export const PROOF_CALLERS: readonly ProofCaller[] = [
  ...PROCESS_CALLERS,
  ...FAITHFUL_CALLERS,
  ...BROKEN_REACTIONS,
  ...BROKEN_REQUESTS,
];
