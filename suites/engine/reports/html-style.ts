/** The style of `report.html`: the reader's fonts, light or dark. */
export const HTML_STYLE = `
:root { color-scheme: light dark;
  --page: light-dark(#f6f7f9, #14161a); --card: light-dark(#fff, #1d2026); --text: light-dark(#1b1e23, #e8eaed);
  --soft: light-dark(#59606c, #a5adba); --line: light-dark(#dfe2e7, #353a43); --link: light-dark(#00598c, #8ac7ff);
  --red: light-dark(#b3261e, #ff8f86); --green: light-dark(#1b6e34, #7ddc97); --yellow: light-dark(#7a5900, #f2c14e);
  --blue: light-dark(#00639b, #7cc4ff); --hue: var(--soft); }
.fail, .error, .violations { --hue: var(--red); }
.pass, .conformant { --hue: var(--green); }
.warn, .inconclusive, .incomplete, .warning { --hue: var(--yellow); }
.observed { --hue: var(--blue); }
body { background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; max-width: 72rem;
  margin: 0 auto; padding: 1rem 1rem 4rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.2; margin: 0; }
h2 { font-size: 1.2rem; margin: 2rem 0 0.5rem; }
h3 { font-size: 1rem; margin: 0; font-weight: 600; }
p, dl, dd, ul { margin: 0; }
a { color: var(--link); }
code, pre { font: 0.875em/1.5 ui-monospace, monospace; unicode-bidi: isolate; }
pre { white-space: pre-wrap; background: var(--page); border-radius: 0.375rem; padding: 0.5rem 0.75rem; margin: 0.25rem 0; }
summary { cursor: pointer; width: fit-content; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
.soft, dt { color: var(--soft); }
.soft { font-size: 0.875rem; }
.verdict, h1 span { color: var(--hue); font-weight: 600; }
footer { margin-top: 2rem; }
.notice { border-left: 4px solid var(--hue); background: var(--card); border-radius: 0.375rem; margin-top: 1rem;
  padding: 0.75rem 1rem; }
.notice h2 { font-size: 1rem; margin: 0 0 0.25rem; }
.notice ul { padding-left: 1.25rem; }
.rows { list-style: none; padding: 0; background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem;
  margin-bottom: 0.75rem; }
.rows > li { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); padding: 0.5rem 0.875rem; }
.rows > li + li { border-top: 1px solid var(--line); }
.rows > li:target { background: color-mix(in srgb, var(--link) 12%, var(--card)); }
.pass h3 { font-weight: 400; }
.names { font-size: 0.875rem; color: var(--soft); }
.names :is(a, span, code) { margin-right: 0.375rem; }
dl { display: grid; grid-template-columns: 5rem minmax(0, 1fr); gap: 0.125rem 1rem; margin: 0.375rem 0; }
dd { grid-column: 2; }
.evidence { border-left: 3px solid var(--hue); margin: 0.75rem 0; padding-left: 0.875rem; }
table { border-collapse: collapse; width: 100%; background: var(--card); border: 1px solid var(--line); }
th, td { text-align: start; vertical-align: top; padding: 0.25rem 0.875rem; font-weight: 400; }
tbody tr > * { border-top: 1px solid var(--line); }
@media (max-width: 40rem) {
  .rows > li, dl { grid-template-columns: minmax(0, 1fr); }
  dl { gap: 0; }
  dd { grid-column: 1; }
  th, td { padding: 0.25rem 0.375rem; }
}
`;
