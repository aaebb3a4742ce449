import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { type CommandResult, resultOf } from '../support/command.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const actionSchema = z.object({
  inputs: z.record(z.string(), z.object({ description: z.string(), default: z.string().optional() })),
  outputs: z.record(z.string(), z.object({ value: z.string() })),
  runs: z.object({
    using: z.literal('composite'),
    steps: z.array(
      z.object({
        id: z.string().optional(),
        run: z.string().optional(),
        uses: z.string().optional(),
        if: z.string().optional(),
        with: z.record(z.string(), z.unknown()).optional(),
        shell: z.string().optional(),
        env: z.record(z.string(), z.string()).optional(),
      }),
    ),
  }),
});

export const ACTION = actionSchema.parse(parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')));

/** The step that runs the command. */
export const CHECK_STEP = ACTION.runs.steps.find(({ id }) => id === 'check') ?? {};

export interface ActionResult extends CommandResult {
  /** Where the job works. */
  readonly workspace: string;
  /** What the step left in the file of its outputs, and on the page of the job. */
  readonly outputs: string;
  readonly page: string;
}

type Words = Readonly<Record<string, string>>;

/** A value of the step's environment, with what the job puts in place of its expressions. */
function filledIn(value: string, inputs: Words, actionPath: string): string {
  return value.replaceAll(/\$\{\{ (?:inputs\.([a-z-]+)|github\.action_path) \}\}/g, (_, name?: string) =>
    name === undefined ? actionPath : (inputs[name] ?? ACTION.inputs[name]?.default ?? ''),
  );
}

/** What a job has. */
interface Job {
  /** Where the action is: absent for the command as it is installed. */
  readonly actionPath?: string;
  /** Files of the repository, by name. */
  readonly files?: Words;
}

/** Runs the script of the step as a job does: from a file, by bash, with inputs in its environment. */
export async function runAction(
  inputs: Words,
  more: Words = {},
  { actionPath = inject('installed'), files = {} }: Job = {},
): Promise<ActionResult> {
  const folder = temporaryFolder();
  const workspace = join(folder, 'work');
  const script = join(folder, 'step.sh');
  const outputs = join(folder, 'outputs');
  const page = join(folder, 'page.md');
  mkdirSync(workspace);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(workspace, name), text);
  for (const [file, text] of [
    [script, CHECK_STEP.run ?? ''],
    [outputs, ''],
    [page, ''],
  ] as const)
    writeFileSync(file, text);
  const own = Object.entries(CHECK_STEP.env ?? {}).map(([name, value]) => [
    name,
    filledIn(value, inputs, actionPath),
  ]);
  const env = {
    PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
    ...Object.fromEntries(own),
    GITHUB_ACTIONS: 'true',
    GITHUB_OUTPUT: outputs,
    GITHUB_STEP_SUMMARY: page,
    ...more,
  };
  const args = ['--noprofile', '--norc', '-eo', 'pipefail', script];
  const result = await resultOf(
    spawn('bash', args, { cwd: workspace, env, stdio: ['ignore', 'pipe', 'pipe'] }),
  );
  const left = { outputs: readFileSync(outputs, 'utf8'), page: readFileSync(page, 'utf8') };
  return { ...result, ...left, workspace };
}
