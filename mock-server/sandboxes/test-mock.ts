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
    arm(...given: readonly FaultWords[]) {
      const rules = called('arm', () => compileFaults(given, sandbox.world));
      return sandbox.service.faults.arm(rules).map(({ id }) => id);
    },
    answer(...given: readonly GivenAnswer[]) {
      const rules = called('answer', () => compileAnswers(given, sandbox.world));
      return sandbox.service.answers.arm(rules).map(({ id }) => id);
    },
    changeWorld: (part: WorldPart) => called('changeWorld', () => changeWorld(sandbox, part)),
  });
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
export function leftBehind({ service: { ledger, faults, answers } }: Sandbox): readonly string[] {
  const unused = [...faults.unfired(), ...answers.unfired()];
  const own = unused.filter(({ rule }) => rule.isOfWorld !== true);
  return [...ledger.invariants(), ...own.map(neverUsed)];
}
