import { basename, extname } from 'node:path';

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

/** A service gives its uploads and logs other names each time, so these files count together. */
const PASSING = 'new and removed data files';

export interface ChangedFile {
  /** Relative to the working directory. */
  readonly path: string;
  /** Whether it was made or removed. */
  readonly isPassing: boolean;
}

/** Which of the changed files begin a round, and which do so no more. */
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
  /** The latest round in or after which data changed, and how many in a row. */
  readonly #changes = new Map<string, { readonly round: number; readonly inRow: number }>();
  /** The latest round after which another was asked for. */
  #asked: number | undefined;
  readonly leftOut = new Set<string>();

  /** Given the files that are never left out. */
  constructor(named: readonly string[]) {
    this.#named = new Set(named);
  }

  sift(files: readonly ChangedFile[], round: number): Sifted {
    const sources = files.filter(({ path }) => this.#named.has(path) || isSource(path));
    const data = Map.groupBy(
      files.filter((file) => !sources.includes(file)),
      ({ path, isPassing }) => (isPassing ? PASSING : path),
    );
    const known = [...data.keys()].filter((name) => !this.leftOut.has(name));
    const leftOut = known.filter((name) => this.#roundsInRow(name, round) > ROUNDS);
    for (const name of leftOut) this.leftOut.add(name);
    const fresh = known.flatMap((name) => (this.leftOut.has(name) ? [] : (data.get(name) ?? [])));
    // The next round sees all data that changed before it.
    const isAsked = sources.length === 0 && this.#asked === round;
    const begin = isAsked ? [] : [...sources, ...fresh].map(({ path }) => path);
    if (begin.length > 0) this.#asked = round;
    return { begin, leftOut };
  }

  #roundsInRow(name: string, round: number): number {
    const before = this.#changes.get(name);
    if (before?.round === round) return before.inRow;
    const inRow = before?.round === round - 1 ? before.inRow + 1 : 1;
    this.#changes.set(name, { round, inRow });
    return inRow;
  }
}
