import type { Caps } from '../suites/kit/run.ts';
import type { Permission } from './check-flags.ts';

/** What the tested configuration waits for an answer, in milliseconds (CALL-6). */
export const TIMEOUT_MS = 120_000;

interface Defaults {
  readonly runs: number | 'few';
  readonly concurrency: number;
  readonly caps: Caps;
  readonly allow: readonly Permission[];
  /** The folder of the journal and the reports; undefined: nothing is left behind. */
  readonly report: string | undefined;
}

/** The mock costs nothing and bears everything; anything else is somebody's money and somebody's service. */
export const DEFAULTS: Readonly<Record<'mock' | 'live', Defaults>> = {
  mock: {
    runs: 55,
    concurrency: 12,
    caps: { requests: Infinity, completions: Infinity, outputTokens: 64 },
    allow: ['disruptive', 'costly'],
    report: undefined,
  },
  live: {
    runs: 'few',
    concurrency: 4,
    caps: { requests: 300, completions: 80, outputTokens: 16 },
    allow: [],
    report: 'chat-conformance-report',
  },
};
