import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, extname, relative, resolve, sep } from 'node:path';
import { watch } from 'chokidar';
import type { CheckFlags } from '../options/check-table.ts';
import { RUNS_FOLDER } from '../reports/report-folder.ts';
import { UsageError } from '../terminal/terminal.ts';

/** What people write: code, templates, schemas, settings and texts. */
const WRITTEN: ReadonlySet<string> = new Set(
  `ts tsx mts cts js jsx mjs cjs vue svelte astro coffee py pyi pyx rb erb rake go rs java kt kts scala sbt groovy gradle
  clj cljs cljc cs csproj fs fsproj vb sln php phtml twig swift c h cc cpp cxx hh hpp hxx m mm zig nim d ex exs eex heex
  erl hrl hs ml mli elm lua pl pm r jl dart cr v sh bash zsh fish ps1 bat cmd sql prisma graphql gql proto thrift avsc
  html htm css scss sass less hbs ejs pug mustache liquid tmpl tpl j2 jinja jinja2 md mdx rst xml xsd yaml yml toml ini
  cfg conf config properties env tf hcl nix mk cmake dockerfile`.split(/\s+/),
);

/** Manifests and settings whose extension is that of data too, or that have none. */
const MANIFESTS =
  /^(?:(?:package|composer|deno|bun|nest-cli|project|tsconfig.*|jsconfig.*|appsettings.*|launchsettings|settings|config|.*[.-]config|.*\.schema)\.jsonc?|\.?[\w-]+rc(?:\.json)?|\.env.*|requirements.*\.txt|cmakelists\.txt|go\.(?:mod|work)|dockerfile.*|containerfile.*|(?:gnu)?makefile|rakefile|gemfile|procfile|caddyfile|justfile|jenkinsfile|pipfile|brewfile)$/i;

/** Whether people write files of this name, and a service hardly ever does: its data and logs would begin rounds for ever. */
export function isSource(path: string): boolean {
  const name = basename(path);
  return WRITTEN.has(extname(name).slice(1).toLowerCase()) || MANIFESTS.test(name);
}

/** Folders that hold no sources of a service, wherever they are. */
const NEVER: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules', RUNS_FOLDER]);

/** An editor, or a change of branch, writes several files at once. The watcher hides a second change for 50 ms. */
const TOGETHER_MS = 60;

/**
 * Calls `onChange` with the files that changed below the watched paths, or else with the sources of the working directory
 * and what a round reads: without those of the reports, and those that git ignores unless they are named. Resolves, once
 * it sees every change, to what ends it.
 */
export async function watchFiles(
  { watch: paths, profile = '', baseline = '', report }: CheckFlags,
  onChange: (files: readonly string[]) => void,
): Promise<() => Promise<void>> {
  const isNamed = Array.isArray(paths);
  const named = isNamed ? paths : ['.', profile, baseline].filter((path) => existsSync(path));
  const missing = named.find((path) => !existsSync(path));
  if (missing !== undefined) throw new UsageError(`there is no ${missing} to watch`);
  const watched = new Set(named.map((path) => resolve(path)));
  const folders = [...watched].filter((path) => statSync(path).isDirectory());
  const untracked = folders.flatMap((folder) => namesFromGit(folder, UNTRACKED));
  const ignored = ignoredIn(folders, untracked);
  if (report !== undefined) ignored.add(resolve(report));
  const watcher = watch([...watched], {
    ignoreInitial: true,
    ignored: (path) => !watched.has(path) && (NEVER.has(basename(path)) || ignored.has(resolve(path))),
  });
  const contents = new Map<string, string>();
  const changed = new Set<string>();
  const deliver = (): void => {
    const silent = ignoredIn(folders, [...changed]);
    const heard = [...changed].filter(
      (path) => (watched.has(path) || !silent.has(path)) && isNews(path, contents),
    );
    changed.clear();
    if (heard.length > 0) onChange(heard.map((path) => relative(process.cwd(), path)));
  };
  for (const kind of ['add', 'change', 'unlink'] as const)
    watcher.on(kind, (file) => {
      const path = resolve(file);
      if (!isNamed && !watched.has(path) && !isSource(path)) return;
      // Files that never rest put nothing off.
      if (changed.size === 0) setTimeout(deliver, TOGETHER_MS);
      changed.add(path);
    });
  // A file that cannot be watched is none that changes.
  watcher.on('error', () => {});
  await once(watcher, 'ready');
  return () => watcher.close();
}

/** Whether a file holds something else than before: what a build writes anew, or an editor for a moment, is no change. */
function isNews(path: string, contents: Map<string, string>): boolean {
  const before = contents.get(path);
  try {
    contents.set(path, hash('sha256', readFileSync(path)));
  } catch {
    contents.set(path, 'absent');
  }
  return contents.get(path) !== before;
}

/** What git may ignore in a folder: also folders that it does not ignore, and whose files it ignores by chance. */
const UNTRACKED = 'ls-files -z --others --ignored --exclude-standard --directory';

/** Those of the paths that are below one of the folders and that git ignores. */
function ignoredIn(folders: readonly string[], paths: readonly string[]): Set<string> {
  const found = folders.flatMap((folder) => {
    const inside = paths.filter((path) => path.startsWith(folder + sep));
    return namesFromGit(folder, 'check-ignore -z --stdin', inside);
  });
  return new Set(found);
}

/** The whole paths that git prints; none where there is no git or no repository. */
function namesFromGit(cwd: string, args: string, names: readonly string[] = []): readonly string[] {
  const input = names.map((path) => `${path}\0`).join('');
  const { stdout } = spawnSync('git', args.split(' '), { cwd, input, encoding: 'utf8', maxBuffer: Infinity });
  // Null where git could not be started.
  const printed: string | null = stdout;
  return (printed ?? '').split('\0').flatMap((name) => (name === '' ? [] : resolve(cwd, name)));
}
