import { type Check, levelOf, type Invariant } from '../model/check.ts';
import type { Entry, RecordedCriterion, RunEntry, SentEntry } from '../model/entry-schema.ts';
import { isChargeable, type ArmedFault, KEY_NAMES, type SentRequest } from '../model/exchange.ts';
import { decidedDuties } from '../model/ruling.ts';
import { finiteCaps, type RunOptions } from '../model/run.ts';
import type { TargetInfo } from '../model/target.ts';

/** The first line of a run's journal. `shown` takes keys out of what a user wrote: an address, a reason. */
export function runEntry(options: RunOptions, startedAt: string, shown = (text: string) => text): RunEntry {
  const { seed, runs, concurrency, timeoutMs, caps, withholds, allow, target, checks, invariants } = options;
  const { judges, selected, remembered = [], known, failOn = [] } = options;
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
    target: recordedTarget(options, (url) => withPathShown(url, shown)),
    keys: KEY_NAMES.filter((name) => target.keys[name] !== undefined),
    checks: judges === undefined ? checks.map(recordedCriterion) : [],
    invariants: invariants.map(recordedCriterion),
    ...(selected !== undefined && { selected: [...selected] }),
    ...(remembered.length > 0 && { remembered }),
    ...(known !== undefined && {
      known: known.listed.map((each) => ({ ...each, reason: shown(each.reason) })),
    }),
    ...(failOn.length > 0 && { failOn }),
  };
}

/** A host is not hidden: it may have the words of a key by chance. */
function withPathShown(url: string, shown: (text: string) => string): string {
  const from = `${url}/`.indexOf('/', url.indexOf('//') + 2);
  return url.slice(0, from) + shown(url.slice(from));
}

function recordedTarget({ target, control }: RunOptions, shown: (url: string) => string): RunEntry['target'] {
  const { baseUrl, kind, name, profile, headers, passing, network, secrets } = target;
  const way = network?.tls?.files;
  return {
    baseUrl: shown(baseUrl),
    kind,
    ...(name !== undefined && { name }),
    ...(control !== undefined && { controlUrl: shown(control.url) }),
    profile,
    headers: Object.keys(headers),
    ...(passing !== undefined && { passing }),
    ...(way !== undefined && { way }),
    ...(secrets !== undefined && { secrets }),
  };
}

/** A check or an invariant, as reports name it. */
export function recordedCriterion(of: Check | Invariant): RecordedCriterion {
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
export function targetInfoEntry({ profile: _profile, ...survey }: TargetInfo): Entry {
  return { type: 'survey', survey };
}

/** Written before the request leaves. */
export function sentEntry(id: string, request: SentRequest, armed?: ArmedFault): SentEntry {
  const now = Date.now();
  return {
    type: 'sent',
    id,
    // Without a journal, it is hardly ever read.
    get at() {
      return new Date(now).toISOString();
    },
    request,
    chargeable: isChargeable(request),
    ...(armed !== undefined && { armed }),
  };
}
