import type { KeyPlace } from '../../../fixtures/credentials/keys-elsewhere.ts';
import type { ClauseId, Level } from '../../../fixtures/clauses/clauses.ts';
import type { ArmedFault, KeyName } from '../model/exchange.ts';
import type { Profile } from '../model/profile.ts';
import type { Ruling } from '../model/ruling.ts';
import type { Runs } from '../model/run.ts';
import type { ShardPlace } from '../sharding/shard.ts';
import type { Survey } from '../model/target-info.ts';

/** One line of a journal. No key is in any of them. */
export type Entry =
  | RunEntry
  | SurveyEntry
  | SentEntry
  | EndedEntry
  | WithheldEntry
  | ShownEntry
  | TrialEntry
  | InvariantEntry
  | FinishedEntry;

/** The first line: what was run, against what. */
export interface RunEntry {
  readonly type: 'run';
  readonly format: 'chat-conformance/journal';
  readonly version: 1;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly seed: number;
  readonly runs: Runs;
  readonly concurrency: number;
  readonly timeoutMs: number;
  /** Null where there is no cap. */
  readonly caps: Readonly<Record<'requests' | 'completions' | 'outputTokens', number | null>>;
  /** Absent: nothing was withheld. */
  readonly withholds?: 'completions';
  readonly allow: readonly ('disruptive' | 'costly')[];
  readonly target: RecordedTarget;
  /** Which keys were at hand. */
  readonly keys: readonly KeyName[];
  readonly checks: readonly RecordedJudged[];
  readonly invariants: readonly RecordedJudged[];
  /** Present: the run is a part of one. */
  readonly shard?: RecordedShard;
  /** Present: this many shards were joined to this run. */
  readonly merged?: number;
}

/** Of which whole a run is a part: its checks and caps are those of all shards together. */
export interface RecordedShard extends ShardPlace {
  readonly release: string;
  readonly caps: RunEntry['caps'];
  readonly checks: readonly RecordedJudged[];
}

export interface RecordedTarget {
  readonly baseUrl: string;
  readonly kind: 'mock' | 'live';
  /** Absent: there was none. */
  readonly controlUrl?: string;
  readonly profile: Profile;
  /** Names of the headers that every request bore beside its own: their values may be secrets. */
  readonly headers: readonly string[];
}

/** A check or an invariant, as reports name it. */
export interface RecordedJudged {
  readonly id: string;
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
  readonly title: string;
  /** Absent: the level of its first clause. */
  readonly level?: Level;
}

/** What the preflight found; the profile is that of the run. */
export interface SurveyEntry {
  readonly type: 'survey';
  readonly survey: RecordedSurvey;
}

export type RecordedSurvey = Omit<Survey, 'keys' | 'profile'> & { readonly keys: readonly KeyName[] };

/** On disk before the first byte of its request leaves. */
export interface SentEntry {
  readonly type: 'sent';
  /** Of the exchange; no two of a journal are equal. */
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly request: RecordedRequest;
  /** Whether the service may make a completion of it, and charge for it. */
  readonly chargeable: boolean;
  /** What the run had armed for it. */
  readonly armed?: ArmedFault;
}

/** What became of a request that was sent. One without this line has an unknown outcome. */
export interface EndedEntry {
  readonly type: 'ended';
  readonly id: string;
  readonly outcome: RecordedOutcome;
}

/** A request that the run kept from leaving: a cap, an interruption. */
export interface WithheldEntry {
  readonly type: 'withheld';
  readonly id: string;
  readonly request: RecordedRequest;
  readonly reason: string;
}

/** The workspace has shown what became of the request with this key: nobody has to look there again. */
export interface ShownEntry {
  readonly type: 'shown';
  readonly idempotencyKey: string;
}

/** What one draw of a stimulus sent, and what its checks made of that. */
export interface TrialEntry {
  readonly type: 'trial';
  /** Of the draw, or the name of the stimulus where nothing could be drawn. */
  readonly id: string;
  readonly stimulus: string;
  /** Of a draw: how many inputs its stimulus has that must be tried. */
  readonly among?: number;
  /** Its place in the plan: results are counted in that order, whichever came first. */
  readonly nth: number;
  /** IDs of its exchanges, in the order in which they were sent. */
  readonly exchanges: readonly string[];
  /** The ID of the accepted twin. */
  readonly control?: string;
  /** What else a trial of this stimulus holds. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Why no judgement may see it: an answer is missing, or sending it failed. */
  readonly missing?: RecordedRuling;
  /** By ID of the check. */
  readonly rulings: Readonly<Record<string, RecordedRuling>>;
  /** It was drawn in the search for a simpler failure, and counts for nothing else. */
  readonly simplifies?: Simplification;
}

export interface Simplification {
  /** ID of the check that failed. */
  readonly check: string;
  /** ID of the trial in which it failed first. */
  readonly trial: string;
}

/** What an invariant made of the exchanges of a whole run. */
export interface InvariantEntry {
  readonly type: 'invariant';
  readonly id: string;
  /** How often it held. */
  readonly held: number;
  /** Everything else it said, with the ID of the exchange. */
  readonly rulings: readonly (readonly [string, RecordedRuling])[];
}

/** The last line. Without it the run was ended from outside. */
export interface FinishedEntry {
  readonly type: 'finished';
  readonly durationMs: number;
  /** Why the run says less than it might. */
  readonly cutShort: readonly string[];
}

export interface RecordedRequest {
  readonly method: string;
  /** Below the base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly credential: RecordedCredential;
  readonly body?: RecordedBytes;
}

/** Text where the bytes are UTF-8. */
export type RecordedBytes = { readonly text: string } | { readonly base64: string };

export type RecordedCredential =
  | { readonly kind: 'key'; readonly name: KeyName }
  | { readonly kind: 'none' }
  | {
      readonly kind: 'forged';
      readonly label: string;
      /** What stands before, between and after the whole key in the header; absent where it was changed. */
      readonly around?: readonly string[];
      /** Where it stood in place of the Authorization header. */
      readonly elsewhere?: KeyPlace;
    };

export type RecordedOutcome =
  | { readonly kind: 'answered'; readonly answer: RecordedAnswer }
  | { readonly kind: 'not-sent'; readonly reason: string }
  | { readonly kind: 'uncertain'; readonly reason: string; readonly answer?: RecordedAnswer };

export interface RecordedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RecordedBytes;
  /** Of each piece: milliseconds since the request left, and bytes that had come with it. */
  readonly pieces: readonly (readonly [number, number])[];
  readonly headersAt: number;
  readonly endedAt: number;
}

/** `error` is a failure of ours. */
export type RecordedRuling =
  | Ruling
  | { readonly kind: 'error'; readonly name: string; readonly message: string };
