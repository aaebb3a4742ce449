import { parseFault } from '../../../faults/parse-fault.ts';
import { control, controlOf } from '../state/control-api.ts';
import type { WorldId } from '../state/wire.ts';

/** Arms a rule, written as for `--fault`, after the armed ones. Resolves with what to tell the reader. */
export async function arm(world: WorldId, line: string): Promise<string> {
  await control('POST', `${controlOf(world)}/faults`, parseFault(line));
  return `Armed: ${line}`;
}

/** A rule as for `--fault`, from the fields of a form; empty ones are left out. */
export function ruleLine(fault: string, values: Readonly<Record<string, string>>): string {
  const given = Object.entries(values).filter(([, value]) => value.trim() !== '');
  return [fault, ...given.map(([name, value]) => `${name}=${quoted(value.trim())}`)].join(' ');
}

function quoted(value: string): string {
  return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}
