import { closeSync } from 'node:fs';
import { runEntry } from '../../suites/kit/journal/entries.ts';
import { journalOn } from '../../suites/kit/journal/write-journal.ts';
import type { Journal } from '../../suites/kit/model/journal.ts';
import type { Network } from '../../suites/kit/model/network.ts';
import { SERVICE_JUDGEMENTS } from './service-judgements.ts';

export interface ProxyJournal {
  readonly journal: Journal;
  readonly close: () => void;
}

/** Begins the journal of a proxy in a file that is open for appending; `file` names it in messages. */
export function beginJournal(fd: number, file: string, baseUrl: string, network?: Network): ProxyJournal {
  const journal = journalOn(fd, { file, isDurable: false });
  const target = {
    baseUrl,
    kind: 'live',
    keys: { primary: '' },
    profile: {},
    headers: {},
    passing: true,
  } as const;
  const entry = runEntry(
    {
      target: { ...target, ...(network !== undefined && { network }) },
      checks: [],
      invariants: SERVICE_JUDGEMENTS,
      seed: 0,
      runs: 'few',
      concurrency: 0,
      caps: { requests: Infinity, completions: Infinity, outputTokens: Infinity },
      allow: new Set(),
      timeoutMs: 0,
    },
    new Date().toISOString(),
  );
  journal.append(entry);
  return { journal, close: () => closeSync(fd) };
}
