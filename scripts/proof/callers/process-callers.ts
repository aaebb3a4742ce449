import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import { NO_MORE_NAMES } from '../../caller/caller-inputs.ts';
import { callerScenarioNames, type CallerScenarioName } from '../../caller/scenarios.ts';
import { startCommand } from '../../caller/start-command.ts';
import type { StartCaller } from '../../caller/try-caller.ts';
import type { ProofCaller } from './proof-caller.ts';

const DEADLINE_MS = 60_000;

function node(args: readonly string[]): StartCaller {
  return startCommand({
    program: process.execPath,
    args,
    deadlineMs: DEADLINE_MS,
    names: NO_MORE_NAMES,
    signal: new AbortController().signal,
  });
}

/** A program of this folder, which may import the packages of this project. */
function program(name: string): StartCaller {
  return node([fileURLToPath(new URL(`programs/${name}.mjs`, import.meta.url))]);
}

function driver(name: string): StartCaller {
  return node([
    fileURLToPath(new URL(`../../caller/drivers/${name}${extname(import.meta.url)}`, import.meta.url)),
  ]);
}

/** By the clauses that each breaks, the scenarios in which it is tried, and its program. */
const PROGRAMS: Readonly<
  Record<string, readonly [readonly ClauseId[], readonly CallerScenarioName[], StartCaller]>
> = {
  'html-crashes-it': [['CALL-8'], ['html-answer'], program('crashes-on-html')],
  'openai-client-with-its-defaults': [
    ['IDEM-1', 'CALL-2', 'CALL-6'],
    ['plain-use', 'charged-and-lost', 'unavailable'],
    program('openai-defaults'),
  ],
  'leaves-after-5-s-and-ends': [['CALL-6'], ['no-answer', 'late-answer'], program('leaves-and-ends')],
  'asks-in-other-words': [['CALL-2'], ['html-answer', 'connection-lost'], program('asks-in-other-words')],
  'sends-on-a-timer': [
    [],
    ['plain-use', 'rate-limited', 'model-vanishes', 'token-limit', 'unavailable'],
    program('open-loop'),
  ],
  'openai-client-as-specified': [[], callerScenarioNames(), driver('openai-driver')],
  'plain-fetch': [[], callerScenarioNames(), driver('fetch-driver')],
  'equal-texts-for-wishes-of-its-own': [
    [],
    ['plain-use', 'charged-and-lost', 'html-answer', 'connection-lost', 'unavailable'],
    program('equal-texts'),
  ],
  'cancels-the-others-and-looks': [
    [],
    ['plain-use', 'charged-and-lost', 'html-answer', 'connection-lost', 'lost-before-reservation'],
    program('cancels-and-looks-up'),
  ],
  'gives-up-without-closing-and-looks': [[], ['no-answer'], program('gives-up-and-looks-up')],
  'wishes-of-its-own': [
    [],
    ['plain-use', 'charged-and-lost', 'html-answer', 'unavailable'],
    program('own-requests'),
  ],
};

/** Callers in processes of their own. */
export const PROCESS_CALLERS: readonly ProofCaller[] = Object.entries(PROGRAMS).map(
  ([name, [clauses, scenarios, start]]) => {
    const kind = clauses.length === 0 ? 'faithful-caller' : 'broken-caller';
    return { name, kind, clauses, scenarios, start };
  },
);
