import { jsonPointer } from '../../../fixtures/chats/chat.ts';
import { InputError } from '../../../mock-server/input/input-error.ts';
import { type HostOptions, OptionError } from '../../../mock-server/mock-options.ts';
import { builtInWorld } from '../../../mock-server/world/built-in-world.ts';
import type { WorldPart, World } from '../../../mock-server/world/world-schema.ts';
import type { MockFlags } from '../options/command-tables.ts';
import { UsageError, noteLine } from '../terminal/terminal.ts';

// Schemas and judges are imported only where a flag needs them: the schema library would double the time to the first answer.

/**
 * Resolves the flags of `mock`. Flags override the file of the world, and their rules come first.
 * Throws an error of one line given an invalid file or rule.
 */
export async function mockOptions(flags: MockFlags): Promise<HostOptions> {
  const { judge = false, control = judge, log } = flags;
  if (!control && flags.controlToken !== undefined)
    throw new UsageError('--control-token requires --control');
  const { port, host, latency, seed, fault, answer } = flags;
  return {
    port,
    host,
    latency,
    seed,
    world: await worldOf(flags),
    control,
    journal: false,
    controlToken: flags.controlToken ?? process.env['CHAT_CONTROL_TOKEN'],
    faults: fault,
    answers: answer,
    defect: await defectOf(flags),
    requestEnded: log && (await import('./request-log.ts')).requestLog(log),
    witnessed: judge,
    operations: judge ? [(await import('../../caller/judge/judge-sandbox.ts')).JUDGE_OPERATION] : [],
  };
}

/** The world of its file, with its variants and options; undefined: the built-in world. */
async function worldOf(flags: MockFlags): Promise<World | undefined> {
  const { world: file, variant = [] } = flags;
  let world: World | undefined;
  if (file !== undefined) {
    const { readWorld } = await import('../../../mock-server/world/world-file.ts');
    world = await readWorld(file, { warn: (line) => noteLine(`mock: ${line}`) });
  }
  if (variant.length > 0) world = (await import('./mock-words.ts')).withVariants(variant, world);
  const part = partOf(flags, world);
  if (Object.keys(part).length === 0) return world;
  const { checkWorld } = await import('../../../mock-server/world/check-world.ts');
  try {
    return checkWorld(part, world).world;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const [list = ''] = error.path;
    throw new UsageError(`${FLAG_OF[list] ?? list}: ${error.problem}`);
  }
}

/** The options that can be wrong only as part of a world. */
const FLAG_OF: Readonly<Record<string, string>> = { clock: '--clock', keys: '--key', models: '--model' };

/** Of a model of which only the ID is known: more context than most chats need, and the price of the cheapest one. */
const NAMED_MODEL = { contextTokens: 131_072, price: { input: 1, output: 2 } };

/** What the options say of a world. */
function partOf(
  { credits, concurrency, clock, model = [], key }: MockFlags,
  { workspaces, keys: [first], models }: World = builtInWorld,
): WorldPart {
  const unknown = model.filter((id) => models.every((known) => known.id !== id));
  const name = first?.name ?? '';
  return {
    ...(credits !== undefined && {
      workspaces: Object.fromEntries(workspaces.map(({ id }) => [id, { credits }])),
    }),
    ...(concurrency !== undefined && { limits: { concurrency } }),
    ...(clock !== undefined && { clock }),
    ...(unknown.length > 0 && { models: Object.fromEntries(unknown.map((id) => [id, NAMED_MODEL])) }),
    ...(key === 'any' && { anyKey: name }),
    ...(key !== undefined && key !== 'any' && { keys: { [name]: { key } } }),
  };
}

async function defectOf({ defect, world, variant = [] }: MockFlags): Promise<string | undefined> {
  if (defect === undefined) return undefined;
  (await import('./mock-words.ts')).checkDefect(defect);
  if (world !== undefined || variant.length > 0)
    throw new UsageError('--defect works only with the built-in world: remove the world or variant');
  return defect;
}

/** The error of a rule by its line on the command line. */
export function inFlags(error: unknown, { fault = [], answer = [] }: MockFlags): unknown {
  if (!(error instanceof OptionError) || !(error.cause instanceof InputError)) return error;
  const [flag, lines] = error.option === 'faults' ? ['--fault', fault] : ['--answer', answer];
  const [index, ...path] = error.cause.path;
  const pointer = jsonPointer(...path);
  const place = `${flag} ${JSON.stringify(lines[Number(index)])}${pointer && `: ${pointer}`}`;
  return new UsageError(`${place}: ${error.cause.problem}`);
}
