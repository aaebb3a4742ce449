import { KEY_NAMES } from '../model/exchange.ts';
import { CLAUSES } from '../../../fixtures/clauses/clauses.ts';
import type { Check } from '../model/check.ts';
import type { Invariant, ExchangeRuling } from '../model/invariant.ts';
import { type RunOptions, finiteCaps } from '../model/run.ts';

import type { Shard } from '../sharding/shard.ts';
import type {
  RecordedJudged,
  RecordedShard,
  RecordedTarget,
  RunEntry,
  RecordedSurvey,
  SurveyEntry,
  InvariantEntry,
} from '../model/journal.ts';
import type { Profile } from '../model/profile.ts';
import type { TargetInfo } from '../model/target-info.ts';

import { recordRuling } from './codecs.ts';

/** The first line of a run's journal. */
export function runEntry(options: RunOptions, startedAt: string): RunEntry {
  const { seed, runs, concurrency, timeoutMs, caps, withholds, allow, target, checks, invariants } = options;
  const { shard } = options;
  return {
    type: 'run',
    format: 'chat-conformance/journal',
    version: 1,
    startedAt,
    seed,
    runs,
    concurrency,
    timeoutMs,
    caps: finiteCaps(caps),
    ...(withholds !== undefined && { withholds }),
    allow: [...allow],
    target: recordTarget(options),
    keys: KEY_NAMES.filter((name) => target.keys[name] !== undefined),
    checks: checks.map(recordJudged),
    invariants: invariants.map(recordJudged),
    ...(shard !== undefined && { shard: recordShard(shard) }),
  };
}

function recordShard({ caps, checks, ...place }: Shard): RecordedShard {
  return { ...place, caps: finiteCaps(caps), checks: checks.map(recordJudged) };
}

function recordTarget({ target, control }: RunOptions): RecordedTarget {
  const { baseUrl, kind, profile, headers } = target;
  const controlUrl = control === undefined ? {} : { controlUrl: control.url };
  return { baseUrl, kind, ...controlUrl, profile, headers: Object.keys(headers) };
}

function recordJudged({ id, clauses, title, level }: Check | Invariant): RecordedJudged {
  const isUsual = level === undefined || level === CLAUSES[clauses[0]].level;
  return { id, clauses, title, ...(!isUsual && { level }) };
}

/** What the preflight found, as a line of a journal. */
export function surveyEntry({ profile: _profile, keys, ...survey }: TargetInfo): SurveyEntry {
  return { type: 'survey', survey: { ...survey, keys: [...keys] } };
}

/** The survey that was recorded, with the profile of its run. */
export function surveyFrom({ keys, ...survey }: RecordedSurvey, profile: Profile): TargetInfo {
  return { ...survey, profile, keys: new Set(keys) };
}

/** What an invariant made of a run, as a line of a journal. */
export function invariantEntry(id: string, rulings: readonly ExchangeRuling[]): InvariantEntry {
  const others = rulings.filter(([, ruling]) => ruling instanceof Error || ruling.kind !== 'holds');
  return {
    type: 'invariant',
    id,
    held: rulings.length - others.length,
    rulings: others.map(([exchange, ruling]) => [exchange.id, recordRuling(ruling)]),
  };
}
