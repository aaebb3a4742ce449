import { expect, test } from 'vitest';
import { html } from './markup.ts';

test('returns text as text, in an element and in an attribute', () => {
  const { markup } = html`<p title="${`"'`}">${'<b>&'}</p>`;
  expect(markup).toBe('<p title="&quot;&#39;">&lt;b&gt;&amp;</p>');
});

test('returns what it made before as it is, alone and in a list', () => {
  const items = ['a', '<'].map((item) => html`<b>${item}</b>`);
  expect(html`<i>${items}</i>${html`<b></b>`}`.markup).toBe('<i><b>a</b><b>&lt;</b></i><b></b>');
});

test('returns escapes in place of what shows nothing or turns the direction of writing', () => {
  expect(html`${'\u202e\n'}${1}`.markup).toBe(String.raw`\u202e\n1`);
});
