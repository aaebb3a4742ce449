import type { ComponentChildren } from 'preact';
import { copyText } from './copy-text.ts';
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
