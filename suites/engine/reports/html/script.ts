import { hash } from 'node:crypto';

/** What `report.html` does beyond being shown: search, filter by clause, unfold and copy. It requests nothing, and keeps nothing. */
export const HTML_SCRIPT = `
'use strict';
const all = (selector) => [...document.querySelectorAll(selector)];
const [search, clause, expand, shown] = ['search', 'clause', 'expand', 'shown'].map((id) => document.getElementById(id));
const rows = all('.checks > li').map((row) => ({
  row, text: row.textContent.toLowerCase(), clauses: row.dataset.clauses.split(' '),
}));

function filter() {
  const words = search.value.toLowerCase().split(/\\s+/);
  for (const { row, text, clauses } of rows) {
    const isOfClause = clause.value === '' || clauses.includes(clause.value);
    row.hidden = !isOfClause || !words.every((word) => text.includes(word));
  }
  const count = rows.filter(({ row }) => row.getClientRects().length > 0).length;
  shown.textContent = count === rows.length ? '' : count + ' of ' + rows.length + ' checks';
}

function unfold() {
  const folded = all('details').filter((each) => !each.open);
  for (const each of folded.length > 0 ? folded : all('details')) each.open = folded.length > 0;
  expand.textContent = folded.length > 0 ? 'Fold all' : 'Expand all';
}

async function copy(button) {
  const command = button.parentElement.querySelector('pre');
  // A page of plain HTTP has no clipboard: there, the text is selected and copied in the old way.
  if (navigator.clipboard) await navigator.clipboard.writeText(command.innerText.trimEnd());
  else {
    getSelection().selectAllChildren(command);
    document.execCommand('copy');
  }
  button.textContent = 'Copied';
}

for (const button of all('.copy')) {
  button.hidden = false;
  button.addEventListener('click', () => copy(button));
}
document.querySelector('[role=search]').hidden = false;
for (const input of all('[role=search] input, [role=search] select, fieldset input')) input.addEventListener('input', filter);
expand.addEventListener('click', unfold);
`;

/** As a policy names it: no other script may run. */
export const SCRIPT_HASH = `sha256-${hash('sha256', HTML_SCRIPT, 'base64')}`;
