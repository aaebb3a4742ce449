import { basename, dirname, extname, sep } from 'node:path';

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

/** Whether people write files of this name, and a service hardly ever does. */
function isSource(path: string): boolean {
  const name = basename(path);
  return WRITTEN.has(extname(name).slice(1).toLowerCase()) || MANIFESTS.test(name);
}

/** So many rounds may begin with a change of the same data. */
const ROUNDS = 2;

export interface ChangedFile {
  /** Relative to the working directory. */
  readonly path: string;
  /** When the watch began. */
  readonly wasThere: boolean;
}

/** Which of the changed files begin a round, and which files and folders do so no more. */
export interface Sifted {
  readonly begin: readonly string[];
  readonly leftOut: readonly string[];
}

/**
 * Keeps what a service writes (a database, a log, an upload) from beginning rounds for ever. Nothing tells it from data
 * that people edit, but that it changes in or after each round. Sources are never left out: a round would stay green.
 */
export class DataFiles {
  readonly #named: ReadonlySet<string>;
  /** The latest round in or after which each file changed, or each folder got a new one, and how many in a row. */
  readonly #changes = new Map<string, { readonly round: number; readonly inRow: number }>();
  /** The latest round after which another was asked for. */
  #asked: number | undefined;
  /** Files, and folders in which what is new is left out, with a separator at their end. */
  readonly leftOut = new Set<string>();

  /** Given the files that are never left out. */
  constructor(named: readonly string[]) {
    this.#named = new Set(named);
  }

  sift(files: readonly ChangedFile[], round: number): Sifted {
    const begin: string[] = [];
    const leftOut: string[] = [];
    const isKept = (path: string): boolean => this.#named.has(path) || isSource(path);
    for (const { path, wasThere } of files) {
      const folders = wasThere ? [] : foldersOf(path);
      if (!isKept(path) && [path, ...folders].some((place) => this.leftOut.has(place))) continue;
      const place = isKept(path) ? undefined : this.#leaveOut(path, folders, round);
      if (place === undefined) begin.push(path);
      else leftOut.push(place);
    }
    // The next round sees all data that changed before it.
    if (this.#asked === round && !begin.some(isKept)) return { begin: [], leftOut };
    if (begin.length > 0) this.#asked = round;
    return { begin, leftOut };
  }

  /** The file, or the innermost of these folders, that has changed too often by now. */
  #leaveOut(path: string, folders: readonly string[], round: number): string | undefined {
    // A folder gets a new file once: after that, only the file changes.
    const places = this.#changes.has(path) ? [path] : [path, ...folders];
    const counted = places.map((place) => ({ place, inRow: this.#roundsInRow(place, round) }));
    const found = counted.find(({ inRow }) => inRow > ROUNDS)?.place;
    if (found === undefined) return undefined;
    this.leftOut.add(found);
    // The folders around it changed for no other reason.
    for (const folder of foldersOf(found)) this.#changes.delete(folder);
    return found;
  }

  #roundsInRow(place: string, round: number): number {
    const before = this.#changes.get(place);
    if (before?.round === round) return before.inRow;
    const inRow = before?.round === round - 1 ? before.inRow + 1 : 1;
    this.#changes.set(place, { round, inRow });
    return inRow;
  }
}

/** The innermost first, with a separator at its end. */
function foldersOf(path: string): readonly string[] {
  const folder = dirname(path);
  const isOutermost = folder === dirname(folder) || basename(folder) === '..';
  return isOutermost ? [`${folder}${sep}`] : [`${folder}${sep}`, ...foldersOf(folder)];
}
