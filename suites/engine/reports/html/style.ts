import { VERDICTS } from '../display-verdict.ts';

const COLOURS = `
:root { color-scheme: light dark;
  --page: light-dark(#f6f7f9, #14161a); --card: light-dark(#fff, #1d2026); --text: light-dark(#1b1e23, #e8eaed);
  --soft: light-dark(#59606c, #a5adba); --line: light-dark(#dfe2e7, #353a43); --link: light-dark(#00598c, #8ac7ff);
  --red: light-dark(#b3261e, #ff8f86); --green: light-dark(#1b6e34, #7ddc97); --yellow: light-dark(#7a5900, #f2c14e);
  --blue: light-dark(#00639b, #7cc4ff); --hue: var(--soft); }
.fail, .error, .violations { --hue: var(--red); }
.pass, .conformant { --hue: var(--green); }
.warn, .inconclusive, .incomplete, .warning { --hue: var(--yellow); }
.observed { --hue: var(--blue); }
`;

const LAYOUT = `
body { background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; max-width: 72rem;
  margin: 0 auto; padding: 1.5rem 1rem 4rem; overflow-wrap: anywhere; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 1rem; }
h2 { font-size: 1.3rem; margin: 2.5rem 0 0.75rem; }
h3, h4 { font-size: 1rem; margin: 0; }
h4 { font-weight: 600; margin-top: 0.75rem; }
p, dl, dd, ul { margin: 0; }
a { color: var(--link); }
code, pre { font: 0.875em/1.5 ui-monospace, monospace; unicode-bidi: isolate; }
pre { white-space: pre-wrap; background: var(--page); border-radius: 0.375rem; padding: 0.5rem 0.75rem;
  margin: 0.25rem 0; overflow: clip; }
summary { cursor: pointer; width: fit-content; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
.soft, dt, legend { color: var(--soft); }
h1 span, header b { color: var(--hue); }
`;

const HEAD = `
.facts { display: flex; flex-wrap: wrap; gap: 0.75rem 2rem; }
.facts dt { font-size: 0.875rem; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; list-style: none; padding: 0; }
.notice { border-left: 4px solid var(--hue); background: var(--card); border-radius: 0.375rem; margin-top: 1rem;
  padding: 0.75rem 1rem; }
.notice h2 { font-size: 1.05rem; margin: 0 0 0.25rem; }
.notice ul { padding-left: 1.25rem; }
`;

const ROWS = `
fieldset { border: 0; margin: 0 0 0.75rem; padding: 0; display: flex; flex-wrap: wrap; gap: 0.5rem; }
legend { float: left; margin-right: 0.75rem; padding: 0.25rem 0; }
label { border: 1px solid var(--line); border-radius: 1rem; background: var(--card); color: var(--hue);
  padding: 0.2rem 0.75rem; }
input { accent-color: var(--hue); margin: 0 0.25rem 0 0; }
.rows { list-style: none; padding: 0; background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem; }
.rows > li { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); padding: 0.5rem 0.875rem; overflow: clip;
  overflow-clip-margin: 0.25rem; border-radius: 0.5rem; }
.rows > li + li { border-top: 1px solid var(--line); border-start-start-radius: 0; border-start-end-radius: 0; }
.rows > li:target { background: color-mix(in srgb, var(--link) 12%, var(--card)); }
.verdict { color: var(--hue); font-weight: 600; }
.rows h3 { font-weight: 500; }
.rows :is(.fail, .error, .warn) h3 { font-weight: 600; }
.names code { font-size: 1em; }
.rows .names { font-size: 0.875rem; color: var(--soft); }
.checks .pass :is(h3, .names) { display: inline; margin-right: 0.5rem; }
.names :is(a, span) { margin-right: 0.375rem; }
.rows details { margin-top: 0.25rem; }
.evidence { border-left: 3px solid var(--hue); margin: 0.75rem 0; padding-left: 0.875rem; }
.rows dl { display: grid; grid-template-columns: fit-content(9rem) minmax(0, 1fr); gap: 0.125rem 1rem;
  margin-top: 0.25rem; }
.group { margin: 0.5rem 0; }
.group > summary { padding: 0.25rem 0; }
.group > summary h3 { display: inline; }
`;

const TABLE = `
table { border-collapse: separate; border-spacing: 0; width: 100%; background: var(--card);
  border: 1px solid var(--line); border-radius: 0.5rem; }
th, td { text-align: start; vertical-align: top; padding: 0.3rem 0.875rem; font-weight: 400; }
tbody tr > * { border-top: 1px solid var(--line); }
thead th { color: var(--soft); }
tbody th { white-space: nowrap; font-weight: 600; }
`;

const NARROW = `
@media (max-width: 40rem) {
  .rows > li, .rows dl { grid-template-columns: minmax(0, 1fr); }
  .rows dl { gap: 0; }
  .rows dd + dt { margin-top: 0.375rem; }
  th, td { padding: 0.3rem 0.5rem; }
}
`;

const SCENARIOS = `
.scroll { overflow-x: auto; }
.scenarios td { text-align: center; color: var(--hue); }
.scenarios thead th { writing-mode: vertical-rl; text-align: left; }
`;

/** Paper cannot be unfolded. */
const PAPER = `
@media print {
  :root { color-scheme: light; --page: #fff; font-size: 11px; }
  body { max-width: none; padding: 0; }
  nav, fieldset { display: none; }
  details::details-content { content-visibility: visible; block-size: auto; }
  pre { border: 1px solid var(--line); }
  h2, h3, h4, summary { break-after: avoid; }
  .verdict, tr { break-inside: avoid; }
}
`;

const HIDDEN = VERDICTS.map(
  (verdict) => `body:has(#show-${verdict}:not(:checked)) .checks > .${verdict} { display: none; }`,
);

/** The style of `report.html`: the reader's fonts, light or dark. */
export const HTML_STYLE = [COLOURS, LAYOUT, HEAD, ROWS, TABLE, SCENARIOS, NARROW, PAPER, ...HIDDEN, ''].join(
  '\n',
);
