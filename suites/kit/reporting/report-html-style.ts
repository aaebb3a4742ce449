import { VERDICTS } from './report-verdicts.ts';

const HIDING = VERDICTS.map((verdict) => `body:has(#show-${verdict}:not(:checked)) tr.${verdict}`).join(
  ',\n',
);

/** The style of `report.html`: by the reader's own fonts and colours, dark where they want it dark. */
export const HTML_STYLE = `
:root { color-scheme: light dark; --red: light-dark(#b3261e, #ff8a80); --green: light-dark(#1b6e34, #7ddc97);
  --yellow: light-dark(#7a5900, #f2c14e); --blue: light-dark(#00639b, #7cc4ff); --faint: light-dark(#ddd, #444); }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
td { border-top: 1px solid var(--faint); padding: 0.4rem 0.6rem; vertical-align: top; overflow-wrap: anywhere; }
td:first-child { white-space: nowrap; font-weight: 600; }
td p { margin: 0; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; border-left: 3px solid var(--faint); padding-left: 0.8rem; }
fieldset { border: 1px solid var(--faint); display: flex; flex-wrap: wrap; gap: 0.4rem 1.2rem; margin-bottom: 1rem; }
dt { font-weight: 600; }
tr.fail td:first-child, tr.error td:first-child, label.fail, label.error, .violations { color: var(--red); }
tr.pass td:first-child, label.pass, .conformant { color: var(--green); }
tr.warn td:first-child, tr.inconclusive td:first-child, label.warn, label.inconclusive, .incomplete {
  color: var(--yellow); }
tr.observed td:first-child, label.observed { color: var(--blue); }
${HIDING} { display: none; }
`;
