import { execFile } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { inject, vi } from 'vitest';
import { buildContext, REPOSITORY, STEPS, type Step } from './recipe.ts';

const run = promisify(execFile);

/** A stage of the build: its root file system, and the folder that the next step works in. */
interface Stage {
  readonly root: string;
  folder: string;
}

/** Copies what the builder sees, and nothing else. */
function copyContext(source: string, to: string): void {
  const { top, below } = buildContext();
  const names = source === '.' ? top : [source];
  for (const name of names) {
    if (!top.includes(name.split('/')[0] ?? '')) throw new Error(`${name} is not in the build context`);
    const filter = (path: string): boolean => below(basename(path));
    cpSync(join(REPOSITORY, name), join(to, source === '.' ? name : basename(name)), {
      recursive: true,
      filter,
    });
  }
}

function copy({ flags, words }: Step, stage: Stage, stages: ReadonlyMap<string, Stage>): void {
  const to = words.at(-1) ?? '';
  const target = to.startsWith('/') ? join(stage.root, to) : join(stage.folder, to);
  const from = stages.get(flags['from'] ?? '');
  for (const source of words.slice(0, -1)) {
    if (from === undefined) copyContext(source, target);
    else cpSync(join(from.root, source), target, { recursive: true, verbatimSymlinks: true });
  }
  const [user, group] = (flags['chown'] ?? '').split(':').map(Number);
  if (user && group && process.getuid?.() === 0) chownSync(target, user, group);
}

/** What the build installs is here already, by the same lockfile: links to its files take less than another copy. */
async function linkInstalled(folder: string): Promise<void> {
  await run('npm', ['ci', '--ignore-scripts', '--dry-run'], { cwd: folder });
  await run('cp', ['-al', join(REPOSITORY, 'node_modules'), join(folder, 'node_modules')]);
}

/** Whether the repository has what its lockfile names: npm notes what it has installed. */
function isInstalled(): boolean {
  const lockfile = join(REPOSITORY, 'package-lock.json');
  const noted = join(REPOSITORY, 'node_modules', '.package-lock.json');
  return existsSync(noted) && statSync(noted).mtimeMs >= statSync(lockfile).mtimeMs;
}

/** Runs a command as it stands, except that an absolute path is one below the root of its stage. */
async function runStep({ text }: Step, { root, folder }: Stage): Promise<void> {
  const command = text.replaceAll(/(?<=^|\s)\/(?=\w)/g, `${root}/`);
  const env = { ...process.env, npm_config_prefer_offline: 'true', npm_config_audit: 'false' };
  if (command === 'npm ci --ignore-scripts' && isInstalled()) {
    const linked = await linkInstalled(folder).then(
      () => true,
      () => false,
    );
    // Another file system takes no links, and whatever else is wrong is said by the command itself.
    if (linked) return;
    rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
  }
  await run('sh', ['-e', '-c', command], { cwd: folder, env });
}

function workIn({ words: [path = '/'] }: Step, stage: Stage): void {
  stage.folder = join(stage.root, path);
  mkdirSync(stage.folder, { recursive: true });
}

/** What a base image has, and this recipe needs: a folder for temporary files, and Node with its libraries. */
async function layBase(root: string): Promise<void> {
  mkdirSync(join(root, 'tmp'), { recursive: true });
  chmodSync(join(root, 'tmp'), 0o1777);
  const { stdout } = await run('ldd', [process.execPath]).catch(() => ({ stdout: '' }));
  const libraries = stdout.match(/(?<=\s)\/\S+/g) ?? [];
  const files = new Map(libraries.map((path) => [path, path])).set(process.execPath, '/nodejs/bin/node');
  for (const [source, target] of files) {
    mkdirSync(dirname(join(root, target)), { recursive: true });
    copyFileSync(source, join(root, target));
  }
}

/** Takes some steps of the recipe in a folder, after those that made the stages before. */
async function takeSteps(steps: readonly Step[], home: string, stages: Map<string, Stage>): Promise<Stage> {
  let stage = [...stages.values()].at(-1) ?? { root: home, folder: home };
  for (const step of steps) {
    if (step.keyword === 'FROM') {
      const root = join(home, `stage-${stages.size}`);
      await layBase(root);
      stage = { root, folder: root };
      stages.set(step.words[2] ?? 'final', stage);
    }
    if (step.keyword === 'WORKDIR') workIn(step, stage);
    if (step.keyword === 'COPY') copy(step, stage, stages);
    if (step.keyword === 'RUN') await runStep(step, stage);
  }
  return stage;
}

const UP_TO_PACKING = 1 + STEPS.findIndex(({ text }) => text.startsWith('npm pack'));

/** One folder for the tests of the package and of the image, whichever come first. */
const HOME = join(inject('installed'), 'container');
const PACKED = join(HOME, 'packed.json');

/** The build stage of the recipe up to the packed package. Packing takes seconds: all processes of the tests share one. */
async function packingStage(): Promise<Stage> {
  if (mkdirSync(HOME, { recursive: true }) !== undefined) {
    const stage = await takeSteps(STEPS.slice(0, UP_TO_PACKING), HOME, new Map());
    writeFileSync(`${PACKED}.new`, JSON.stringify(stage));
    renameSync(`${PACKED}.new`, PACKED);
  }
  await vi.waitUntil(() => existsSync(PACKED), { timeout: 110_000, interval: 100 });
  return JSON.parse(readFileSync(PACKED, 'utf8'));
}

/** Packs this package as it would be published, from what a builder of the image sees; the result is its file. */
export async function packedPackage(): Promise<string> {
  const { root } = await packingStage();
  const tarball = readdirSync(join(root, 'tmp')).find((name) => name.endsWith('.tgz')) ?? '';
  return join(root, 'tmp', tarball);
}

/** Follows the recipe without a container engine. The result is the root file system of the image. */
export async function buildImage(): Promise<string> {
  const stages = new Map([['build', await packingStage()]]);
  return (await takeSteps(STEPS.slice(UP_TO_PACKING), HOME, stages)).root;
}
