import { type Check, type JudgedDraw, levelOf } from '../model/check.ts';
import {
  isChargeable,
  type ArmedFault,
  type Exchange,
  KEY_NAMES,
  type SentRequest,
} from '../model/exchange.ts';
import type { ExchangeRuling, Invariant } from '../model/invariant.ts';
import type {
  EndedEntry,
  InvariantEntry,
  RecordedCriterion,
  RecordedShard,
  RecordedTarget,
  RunEntry,
  SentEntry,
  Simplification,
  TargetInfoEntry,
  TrialEntry,
  WithheldEntry,
} from '../model/journal.ts';
import { decidedDuties } from '../model/ruling.ts';
import { finiteCaps, type RunOptions } from '../model/run.ts';
import type { TargetInfo } from '../model/target.ts';
import { recordedWay } from '../network/route.ts';

/** The first line of a run's journal. */
export function runEntry(options: RunOptions, startedAt: string): RunEntry {
  const { seed, runs, concurrency, timeoutMs, caps, withholds, allow, target, checks, invariants } = options;
  const { shard, judges, selected, remembered = [], known, failOn = [] } = options;
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
    checks: judges === undefined ? checks.map(recordJudged) : [],
    invariants: invariants.map(recordJudged),
    ...(selected !== undefined && { selected: [...selected] }),
    ...(remembered.length > 0 && { remembered }),
    ...(known !== undefined && { known: known.listed }),
    ...(failOn.length > 0 && { failOn }),
    ...(shard !== undefined && { shard: recordShard(shard) }),
  };
}

function recordShard({ caps, checks, ...place }: NonNullable<RunOptions['shard']>): RecordedShard {
  return { ...place, caps: finiteCaps(caps), checks: checks.map(recordJudged) };
}

function recordTarget({ target, control }: RunOptions): RecordedTarget {
  const { baseUrl, kind, profile, headers, passing, network, secrets } = target;
  const way = recordedWay(baseUrl, network);
  const controlUrl = control === undefined ? {} : { controlUrl: control.url };
  return {
    baseUrl,
    kind,
    ...controlUrl,
    profile,
    headers: Object.keys(headers),
    ...(passing !== undefined && { passing }),
    ...(way !== undefined && { way }),
    ...(secrets !== undefined && { secrets }),
  };
}

function recordJudged(of: Check | Invariant): RecordedCriterion {
  const { id, clauses, title, level, decides } = of;
  const isUsual = level === undefined || level === levelOf({ clauses });
  return {
    id,
    clauses,
    title,
    ...(!isUsual && { level }),
    ...(decides !== undefined && { decides: decidedDuties(decides) }),
    ...('ofWholeRun' in of && { ofWholeRun: of.ofWholeRun }),
  };
}

/** What the preflight found. */
export function targetInfoEntry(info: TargetInfo): TargetInfoEntry {
  const { profile: _profile, ...survey } = info;
  return { type: 'survey', survey };
}

/** Written before the request leaves. */
export function sentEntry(id: string, request: SentRequest, armed?: ArmedFault): SentEntry {
  return {
    type: 'sent',
    id,
    at: new Date().toISOString(),
    request,
    chargeable: isChargeable(request),
    ...(armed !== undefined && { armed }),
  };
}

export function endedEntry({ id, outcome }: Exchange): EndedEntry {
  return { type: 'ended', id, outcome };
}

export function withheldEntry({ id, request }: Exchange, reason: string): WithheldEntry {
  return { type: 'withheld', id, request, reason };
}

/** `nth`: its place in the plan. Its exchanges have separate lines. */
export function trialEntry(judged: JudgedDraw, nth: number, simplifies?: Simplification): TrialEntry {
  const { id, stimulus, exampleCount: among, trial, missing, rulings } = judged;
  const { exchanges, counterpart, ...data } = trial;
  return {
    type: 'trial',
    id,
    stimulus,
    ...(among !== undefined && { among }),
    nth,
    exchanges: exchanges.map((exchange) => exchange.id),
    ...(counterpart !== undefined && { control: counterpart.id }),
    data,
    ...(missing !== undefined && { missing }),
    rulings: Object.fromEntries(rulings.map(([check, ruling]) => [check.id, ruling])),
    ...(simplifies !== undefined && { simplifies }),
  };
}

export function invariantEntry(id: string, rulings: readonly ExchangeRuling[]): InvariantEntry {
  const others = rulings.filter(([, ruling]) => ruling instanceof Error || ruling.kind !== 'holds');
  return {
    type: 'invariant',
    id,
    held: rulings.length - others.length,
    rulings: others.map(([exchange, ruling]) => [exchange.id, ruling]),
  };
}
