import { compileAnswers, type GivenAnswer } from '../answers/compile-answers.ts';
import type { Service } from '../chat/service.ts';
import { compileFaults, type FaultWords } from '../faults/compile-faults.ts';
import { called } from '../input/input-error.ts';
import type { MemoryJournal } from '../journal/memory-journal.ts';
import { neverUsed } from '../rules/rule-plan.ts';
import type { VirtualClock } from '../time/clock.ts';
import { keysByName } from '../world/caller.ts';
import { checkWorld } from '../world/check-world.ts';
import type { WorldPart, World } from '../world/world-schema.ts';
import { type Sandbox, sandboxPrefix } from './sandboxes.ts';

/** The sandbox of one test. */
export interface TestMock {
  /** The base URL, which ends in /v1: the same in every test of a file. */
  readonly url: string;
  /** The URL of the control API of the sandbox. */
  readonly control: string;
  /** The bearer keys, by name. */
  readonly keys: Readonly<Record<string, string>>;
  readonly clock: VirtualClock;
  readonly ledger: Service['ledger'];
  readonly faults: Service['faults'];
  readonly journal: MemoryJournal;
  readonly sandbox: Sandbox;
  /** Arms faults after the armed ones. If a rule is wrong, throws an error with its place, and arms none of them. */
  arm(...faults: readonly FaultWords[]): void;
  /** Changes parts of its world: credits are the new balance; null drops a key or a model. */
  changeWorld(part: WorldPart): World;
  /** Chooses answers, after those chosen before: `answer('text="It rains." contains=weather')`. Throws as `arm` does. */
  answer(...answers: readonly GivenAnswer[]): void;
}

/** A test's view of a sandbox of a mock with a control API. */
export function testMock(
  { origin, url }: Pick<TestMock, 'url'> & { readonly origin: string },
  sandbox: Sandbox,
): TestMock {
  const { service, journal, id } = sandbox;
  if (journal === undefined || id === null) throw new Error('The sandbox of a test needs a journal');
  return {
    url,
    control: `${origin}/control${sandboxPrefix(id)}`,
    get keys() {
      return keysByName(sandbox.world);
    },
    clock: service.time,
    ledger: service.ledger,
    faults: service.faults,
    journal,
    sandbox,
    arm: (...faults) => void service.faults.arm(called('arm', () => compileFaults(faults, service.world))),
    changeWorld: (part) => called('changeWorld', () => changeWorld(sandbox, part)),
    answer: (...answers) =>
      void service.answers.arm(called('answer', () => compileAnswers(answers, service.world))),
  };
}

/** Changes parts of the world of a sandbox, and returns the whole of it. Throws an InputError, and changes nothing. */
export function changeWorld(sandbox: Sandbox, part: unknown): World {
  sandbox.change(checkWorld(part, sandbox.world));
  return sandbox.world;
}

/**
 * A sentence for each broken rule of credits, for each armed fault that never triggered, and for each answer
 * that the test chose and that was never given.
 */
export function leftBehind({ ledger, faults, sandbox }: TestMock): readonly string[] {
  const unused = [...faults.unfired(), ...sandbox.service.answers.unfired()];
  const own = unused.filter(({ rule }) => rule.isOfWorld !== true);
  return [...ledger.invariants(), ...own.map(neverUsed)];
}
