import type { FaultWords } from '../../../mock-server/faults/rule.ts';
import type { World } from '../../../mock-server/world/world.ts';
import { UsageError } from '../terminal/usage-error.ts';

interface Given {
  /** From the command line, each on one line. */
  readonly lines: readonly string[];
  /** From a scenario file. */
  readonly rules: readonly FaultWords[];
  readonly scenario: string | undefined;
}

/**
 * Refuses the first fault that is none, or that could never strike in this world.
 * @throws {UsageError} With the place: the line, or the file and where in it.
 */
export async function refuseWrongFaults({ lines, rules, scenario }: Given, world: World): Promise<void> {
  for (const line of lines)
    await refuse(line, world, (pointer) => ['--fault', JSON.stringify(line) + (pointer && `: ${pointer}`)]);
  for (const [index, rule] of rules.entries())
    await refuse(rule, world, (pointer) => [`${scenario}:`, `/faults/${index}${pointer}`]);
}

async function refuse(
  rule: FaultWords,
  world: World,
  place: (pointer: string) => readonly string[],
): Promise<void> {
  const { compileFaults } = await import('../../../mock-server/faults/compile-rules.ts');
  const { FaultPlanError } = await import('../../../mock-server/faults/rule.ts');
  const { jsonPointer } = await import('../../../mock-server/protocol/service-error.ts');
  try {
    compileFaults([rule], world);
  } catch (error) {
    if (!(error instanceof FaultPlanError)) throw error;
    throw new UsageError(`${place(jsonPointer(error.path.slice(1))).join(' ')}: ${error.problem}`);
  }
}
