import { parseFault } from '../../../faults/parse-fault.ts';
import { control, controlOf } from '../state/control-api.ts';
import type { WorldId } from '../state/wire.ts';

/** Arms a rule, written as for `--fault`, after the armed ones. Resolves with what to tell the reader. */
export async function arm(world: WorldId, line: string): Promise<string> {
  await control('POST', `${controlOf(world)}/faults`, parseFault(line));
  return `Armed: ${line}`;
}
