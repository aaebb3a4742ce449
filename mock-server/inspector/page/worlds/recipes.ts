import { parseFault } from '../../../faults/parse-fault.ts';
import type { Recipe } from '../../read-recipes.ts';
import { control, controlOf } from '../state/control-api.ts';
import type { WorldId } from '../state/wire.ts';

/** The recipes in which every word occurs. */
export function foundRecipes(recipes: readonly Recipe[], text: string): readonly Recipe[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return recipes.filter(({ title, section, text: about, steps, symptoms }) => {
    const all = [title, section, about, ...symptoms, ...steps.map((step) => step.text)]
      .join(' ')
      .toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

interface Armed {
  readonly told: string;
  /** The sandbox that was made for its world. */
  readonly sandbox?: string;
}

/** Arms the faults of a recipe in a world. One with a world of its own gets a sandbox, where it is armed. */
export async function armRecipe({ title, steps }: Recipe, world: WorldId): Promise<Armed> {
  const scenario = steps.find(({ verb }) => verb === 'scenario');
  const lines = steps.filter(({ verb }) => verb === 'fault').map(({ text }) => text);
  const sandbox = scenario === undefined ? undefined : await sandboxFor(scenario.text);
  // No sandbox has the handshakes for which a mock needs an option.
  const own = steps.some(({ verb }) => verb === 'mock') ? null : world;
  for (const line of lines) await arm(sandbox ?? own, line);
  if (sandbox === undefined) return { told: `Armed: ${title}` };
  return { told: `Armed in the new sandbox ${sandbox}: ${title}`, sandbox };
}

async function sandboxFor(scenario: string): Promise<string> {
  const { id } = await control<{ readonly id: string }>('POST', '/control/sandboxes', JSON.parse(scenario));
  return id;
}

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
