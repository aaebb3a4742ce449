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

/** Whether people write files of this name, and a service hardly ever does: its data and logs would begin rounds for ever. */
export function isSource(path: string): boolean {
  const name = basename(path);
  return WRITTEN.has(extname(name).slice(1).toLowerCase()) || MANIFESTS.test(name);
}
