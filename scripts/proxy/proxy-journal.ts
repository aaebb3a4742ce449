import { closeSync, fstatSync, openSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode } from '../../suites/kit/files/read-json-file.ts';
import { runEntry } from '../../suites/kit/journal/entries.ts';
import { journalOn } from '../../suites/kit/journal/write-journal.ts';
import type { Journal } from '../../suites/kit/model/journal.ts';
import type { Network } from '../../suites/kit/model/network.ts';
import { SERVICE_JUDGEMENTS } from './service-judgements.ts';

/** In bytes: a proxy may run for days. */
const LARGEST = 128 * 1024 * 1024;

/** The journal that was full, until the next one is. */
const BEFORE = 'journal-before.ndjson';

/** Its owner alone reads what passed. */
const MODE = 0o600;

/** A journal that has no end of its own. */
export interface ProxyJournal extends Journal {
  readonly isFull: () => boolean;
  /** Sets it aside, in place of the one before, and begins anew. */
  readonly renew: () => void;
  readonly close: () => void;
}

interface ProxyJournalOptions {
  /** In bytes. */
  readonly largest?: number;
  readonly network?: Network | undefined;
}

/** Begins the journal of a proxy in a file that is open for appending; `file` names it in messages. */
export function beginJournal(
  fd: number,
  file: string,
  baseUrl: string,
  { network, largest = LARGEST }: ProxyJournalOptions = {},
): ProxyJournal {
  let open = fd;
  let journal = begun(open, file, baseUrl, network);
  let failure: string | undefined;
  const renew = (): void => {
    try {
      renameSync(file, join(dirname(file), BEFORE));
      const next = openSync(file, 'ax', MODE);
      closeSync(open);
      open = next;
      journal = begun(open, file, baseUrl, network);
    } catch (error) {
      failure = `the journal ${file} cannot begin anew (${errorCode(error)})`;
    }
  };
  return {
    append: (entry) => {
      if (failure === undefined) journal.append(entry);
    },
    failure: () => failure ?? journal.failure(),
    isFull: () => failure === undefined && fstatSync(open).size >= largest,
    renew,
    close: () => closeSync(open),
  };
}

function begun(fd: number, file: string, baseUrl: string, network: Network | undefined): Journal {
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
  return journal;
}
