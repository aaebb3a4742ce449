import { isDeepStrictEqual } from 'node:util';
import type { AnswerRule } from '../answers/compile-answers.ts';
import type { FaultRule } from '../faults/compile-faults.ts';
import { MemoryJournal } from '../journal/memory-journal.ts';
import type { NamedKey } from '../journal/shown-exchange.ts';
import { type Rule, RulePlan } from '../rules/rule-plan.ts';
import { VirtualClock } from '../time/clock.ts';
import { Delays } from '../time/timers.ts';
import { MemoryLedger } from '../workspace/ledger.ts';
import { createCallers } from '../world/caller.ts';
import type { CheckedWorld } from '../world/check-world.ts';
import { defectiveLedger, defectiveWorld, type DefectHooks } from './defect-hooks.ts';
import { Occurrences } from './exchange.ts';
import { IdempotencyStore } from './idempotency-store.ts';

/** The running state of one world, until a reset. Mocks and sandboxes share none of it. */
export type Service = Readonly<ReturnType<typeof createService>>;

/** What stays as long as the mock runs. */
interface Settings {
  readonly seed: number;
  /** Milliseconds beyond what the model itself takes; `perRequest`: before a chat is looked at, whether it is refused or served. */
  readonly latency: Readonly<Record<'perRequest' | 'perCompletion', number>>;
  readonly log: (line: string) => void;
  /** None: the service is faithful. */
  readonly defects: readonly DefectHooks[];
}

/** The state in which a sandbox starts, and to which a reset returns it. */
export interface InitialState extends CheckedWorld, Settings {
  readonly faults: readonly FaultRule[];
  /** Before those of its world. */
  readonly answers: readonly AnswerRule[];
  /** Whether requests are recorded whole, secrets included. */
  readonly witnessed: boolean;
}

/** Starts a service. Without `journaling` it keeps no journal. */
export function createService(
  beginning: InitialState,
  journaling: Omit<ConstructorParameters<typeof MemoryJournal>[0], 'clock' | 'keys'> | undefined,
) {
  const { defects, worldRules } = beginning;
  const world = defectiveWorld(defects, beginning.world);
  const time = new VirtualClock(beginning.world.clock);
  const clock = time.now;
  const keys: NamedKey[] = [...beginning.world.keys];
  const ledger = new MemoryLedger(world.workspaces, world.limits.history, clock);
  const service = {
    ...beginning,
    world,
    /** Its world without what a defect changes of it. */
    checked: { world: beginning.world, worldRules },
    callers: createCallers(world),
    time,
    /** Of its world, and those that a change took away: the journal shows none of them. */
    keys,
    /** Undefined: the requests are not recorded. */
    journal: journaling && new MemoryJournal({ ...journaling, clock, keys }),
    ledger: defectiveLedger(defects, ledger),
    idempotency: new IdempotencyStore(world.choices.idempotency, clock),
    occurrences: new Occurrences(),
    faults: new RulePlan<FaultRule>('rule', { ...beginning, clock }),
    answers: new RulePlan<AnswerRule>('answer', { ...beginning, clock }),
    delays: new Delays(),
  };
  service.faults.arm([...beginning.faults, ...ofWorld(worldRules.faults)]);
  service.answers.arm([...beginning.answers, ...ofWorld(worldRules.answers)]);
  return service;
}

/**
 * Gives a running service another world: its clock where that is another one, other choices for Idempotency-Keys together
 * with none that is remembered, and everything else at once. What runs ends as it began. A workspace gets a new balance if
 * it is credited.
 */
export function changeService(
  service: Service,
  { world: given, worldRules, credited = given.workspaces }: CheckedWorld,
): void {
  const { world: before, checked, keys, time, ledger } = service;
  const world = defectiveWorld(service.defects, given);
  const { idempotency } = world.choices;
  Object.assign(service, {
    world,
    checked: { world: given, worldRules },
    callers: createCallers(world, service.callers),
    ...(!isDeepStrictEqual(idempotency, before.choices.idempotency) && {
      idempotency: new IdempotencyStore(idempotency, time.now),
    }),
  });
  keys.push(...given.keys.filter(({ key }) => keys.every((known) => known.key !== key)));
  if (world.clock !== before.clock) time.start(world.clock);
  for (const { id, credits } of credited) ledger.setBalance(id, credits);
  const { faults, answers } = checked.world;
  if (!isDeepStrictEqual(given.faults, faults)) rearm(service.faults, worldRules.faults);
  if (!isDeepStrictEqual(given.answers, answers)) rearm(service.answers, worldRules.answers);
}

/** Arms the rules of another world in place of those of the one before. */
function rearm<R extends Rule>(plan: RulePlan<R>, rules: readonly R[]): void {
  for (const { id, rule } of plan.rules()) if (rule.isOfWorld === true) plan.disarm(id);
  plan.arm(ofWorld(rules));
}

function ofWorld<R extends Rule>(rules: readonly R[]): readonly R[] {
  return rules.map((rule) => ({ ...rule, isOfWorld: true }));
}
