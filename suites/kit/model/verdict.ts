/** What a run says of one check or one clause. `error` is a failure of ours, never the target's. */
export type Verdict = 'pass' | 'fail' | 'warn' | 'observed' | 'not-exercised' | 'inconclusive' | 'error';

/** What a run says of its target. */
export type RunOutcome = 'conformant' | 'violations' | 'incomplete';
