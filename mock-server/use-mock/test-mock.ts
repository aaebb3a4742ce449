import type { VirtualClock } from '../time/clock.ts';
import { compileFaults } from '../faults/compile-rules.ts';
import type { FaultWords } from '../faults/rule.ts';
import type { MemoryJournal } from '../journal/memory-journal.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import { sandboxPrefix } from '../sandboxes/sandboxes.ts';
import type { Service } from '../sandboxes/service.ts';
import type { Mock } from '../start-mock.ts';

/** The sandbox of one test, as the test sees it. */
export interface TestMock {
  /** The base URL, which ends in /v1. */
  readonly url: string;
  /** The URL of its part of the control API. */
  readonly control: string;
  /** The bearer keys by their names. */
  readonly keys: Readonly<Record<string, string>>;
  readonly clock: VirtualClock;
  readonly ledger: Service['ledger'];
  readonly faults: Service['faults'];
  readonly journal: MemoryJournal;
  readonly sandbox: Sandbox;
  /** Arms faults, behind those that are armed. Throws an error that names the place, and then arms none. */
  arm(...faults: readonly FaultWords[]): void;
}

/** A sandbox of a mock that has a control API. */
export function testMock({ origin }: Mock, sandbox: Sandbox): TestMock {
  const { service, journal, id } = sandbox;
  if (journal === undefined || id === null) throw new Error('The sandbox of a test needs a journal');
  const prefix = sandboxPrefix(id);
  return {
    url: `${origin}${prefix}/v1`,
    control: `${origin}/control${prefix}`,
    keys: Object.fromEntries(service.world.keys.map(({ name, key }) => [name, key])),
    clock: service.time,
    ledger: service.ledger,
    faults: service.faults,
    journal,
    sandbox,
    arm: (...faults) => void service.faults.arm(compileFaults(faults, service.world)),
  };
}

/** What a test leaves behind that it must not: a sentence each. */
export function leftBehind({ ledger, faults }: TestMock): readonly string[] {
  const unfired = faults
    .unfired()
    .map(({ id, rule }) => `${id} (${rule.fault.fault} at ${rule.phase}) was armed and never fired`);
  return [...ledger.invariants(), ...unfired];
}
