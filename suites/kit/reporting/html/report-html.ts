import type { Summary } from '../../model/summary.ts';
import { checksSection } from './checks.ts';
import { clausesSection } from './clauses.ts';
import { pageHead } from './head.ts';
import { notices } from './notices.ts';
import { openPointsSection } from './open-points.ts';
import { HTML_STYLE } from './style.ts';
import { html, styleElement } from './markup.ts';

/** The text of `report.html`: one file that needs no other, and runs no script. */
export function htmlReport(summary: Summary): string {
  const { markup } = html`<!doctype html>
    <html lang="en" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
        />
        <title>${summary.outcome}: ${summary.target.baseUrl}</title>
        ${styleElement(HTML_STYLE)}
      </head>
      <body>
        ${pageHead(summary)}
        <main>
          ${notices(summary)} ${checksSection(summary)} ${clausesSection(summary)}
          ${openPointsSection(summary)}
        </main>
      </body>
    </html> `;
  return markup;
}
