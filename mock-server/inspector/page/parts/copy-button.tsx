import type { ComponentChildren } from 'preact';
import { attempt } from './notices.tsx';

interface Props {
  readonly title: string;
  readonly text: () => string;
}

export function CopyButton({ title, text }: Props): ComponentChildren {
  const copy = (): void =>
    attempt(async () => {
      await copyText(text());
      return `Copied: ${title}`;
    });
  return <button onClick={copy}>Copy {title}</button>;
}

/** Puts a text on the clipboard; also where the page has no certificate, and the browser offers it no clipboard. */
export async function copyText(text: string): Promise<void> {
  if (isSecureContext) return navigator.clipboard.writeText(text);
  const area = Object.assign(document.createElement('textarea'), { value: text });
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (!isCopied) throw new Error('The browser does not let this page copy');
}
