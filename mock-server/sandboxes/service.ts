import { isDeepStrictEqual } from 'node:util';
import type { AnswerRule } from '../answers/compile-answers.ts';
import { IdempotencyStore } from '../chat/idempotency-store.ts';
import type { EndpointService } from '../endpoints/answer-request.ts';
import type { DefectHooks } from '../exchange/defect-hooks.ts';
import { Occurrences } from '../exchange/identity.ts';
import type { Certified, FaultRule } from '../faults/compile-faults.ts';
import type { MemoryJournal } from '../journal/memory-journal.ts';
import { RulePlan } from '../rules/rule-plan.ts';
import { createDateHeader, VirtualClock } from '../time/clock.ts';
import { Delays } from '../time/delays.ts';
import { MemoryLedger } from '../workspace/memory-ledger.ts';
import { createCallers } from '../world/caller.ts';
import type { World } from '../world/world.ts';

/** The running state of one world. Mocks and sandboxes share none of it. */
export interface Service extends EndpointService {
  readonly seed: number;
  /** The clock as the control API moves it. */
  readonly time: VirtualClock;
  readonly dateHeader: () => string;
  readonly occurrences: Occurrences;
  readonly logAnswers: boolean;
  /** Whose certificate its handshakes show; undefined: it has none. */
  readonly certified: Certified;
  readonly faults: RulePlan<FaultRule>;
  readonly answers: RulePlan<AnswerRule>;
  /** Undefined: the requests are not recorded. */
  readonly journal: MemoryJournal | undefined;
  /** Undefined: the service is faithful. */
  readonly defect: DefectHooks | undefined;
}

export interface ServiceOptions extends Pick<
  Service,
  'world' | 'seed' | 'latency' | 'log' | 'logAnswers' | 'defect'
> {
  readonly certified?: Certified;
}

/** `time` is the clock of the world. */
export function createService(
  options: ServiceOptions,
  time: VirtualClock,
  journal: MemoryJournal | undefined,
): Service {
  const { defect } = options;
  const world = defect?.changeWorld?.(options.world) ?? options.world;
  const clock = time.now;
  const ledger = new MemoryLedger(world.workspaces, world.limits.history, clock, () =>
    service.idempotency.brokenPromises(),
  );
  const service: Service = {
    ...options,
    world,
    callers: createCallers(world),
    certified: options.certified,
    time,
    clock,
    journal,
    dateHeader: createDateHeader(clock),
    ledger: defect?.wrapLedger?.(ledger) ?? ledger,
    idempotency: new IdempotencyStore(world.choices.idempotency, clock),
    occurrences: new Occurrences(),
    faults: new RulePlan('rule', { ...options, clock }),
    answers: new RulePlan('answer', { ...options, clock }),
    delays: new Delays(),
  };
  return service;
}

/**
 * Gives a running service another world: its clock where that is another one, other choices for Idempotency-Keys together
 * with none that is remembered, and everything else at once. What runs ends as it began. The ledger stays as it is.
 */
export function changeService(service: Service, given: World): void {
  const { world: before, callers, clock, time } = service;
  const world = service.defect?.changeWorld?.(given) ?? given;
  const { idempotency } = world.choices;
  Object.assign(service, { world, callers: createCallers(world, callers) });
  if (!isDeepStrictEqual(idempotency, before.choices.idempotency))
    Object.assign(service, { idempotency: new IdempotencyStore(idempotency, clock) });
  if (isDeepStrictEqual(world.clock, before.clock)) return;
  if (world.clock.kind === 'real') time.run();
  else time.freeze(Date.parse(world.clock.at));
}
