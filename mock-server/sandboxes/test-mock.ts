import { compileAnswers, type GivenAnswer } from '../answers/compile-answers.ts';
import { compileFaults, type FaultWords } from '../faults/compile-faults.ts';
import { called } from '../input/input-error.ts';
import { neverUsed } from '../rules/rule-plan.ts';
import { checkWorld } from '../world/check-world.ts';
import type { WorldPart, World } from '../world/world-schema.ts';
import { type SandboxView, sandboxView } from './sandbox-view.ts';
import type { Sandbox } from './sandboxes.ts';

/** A mock in a test: what it looks at, and what it changes. */
export interface TestMock extends SandboxView {
  /** Arms faults after the armed ones, and returns their IDs. If a rule is wrong, throws an error with its place, and arms none of them. */
  arm(...faults: readonly FaultWords[]): readonly string[];
  /** Changes parts of its world: credits are the new balance; null drops a key or a model. */
  changeWorld(part: WorldPart): World;
  /** Chooses answers, after those chosen before: `answer('text="It rains." contains=weather')`. Returns and throws as `arm` does. */
  answer(...answers: readonly GivenAnswer[]): readonly string[];
}

/** A test's view of a sandbox with a journal. */
export function testMock(sandbox: Sandbox): TestMock {
  return Object.assign(sandboxView(sandbox), {
    arm: (...given: readonly FaultWords[]) =>
      idsOf('arm', () => sandbox.service.faults.arm(compileFaults(oneOrAll(given), sandbox.world))),
    answer: (...given: readonly GivenAnswer[]) =>
      idsOf('answer', () => sandbox.service.answers.arm(compileAnswers(oneOrAll(given), sandbox.world))),
    changeWorld: (part: WorldPart) => called('changeWorld', () => changeWorld(sandbox, part)),
  });
}

const idsOf = (call: string, arm: () => readonly { readonly id: string }[]): readonly string[] =>
  called(call, arm).map(({ id }) => id);

/** The place of an error in a single rule has no number. */
const oneOrAll = (given: readonly unknown[]): unknown => (given.length === 1 ? given[0] : given);

/** Changes parts of the world of a sandbox, and returns the whole of it. Throws an InputError, and changes nothing. */
export function changeWorld(sandbox: Sandbox, part: unknown): World {
  sandbox.change(checkWorld(part, sandbox.world));
  return sandbox.world;
}

/**
 * A sentence for each broken rule of credits, for each armed fault that never triggered, and for each answer
 * that the test chose and that was never given.
 */
export function leftBehind({ service, journal }: Sandbox): readonly string[] {
  const { ledger, faults, answers } = service;
  const unused = [...faults.unfired(), ...answers.unfired()];
  const own = unused.filter(({ rule }) => rule.isOfWorld !== true);
  return [...ledger.invariants(), ...own.map((rule) => neverUsed(rule, journal?.entries()))];
}
