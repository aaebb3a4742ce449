import { useEffect, useRef, useState } from 'preact/hooks';
import { control, messageOf } from './control-api.ts';
import { LiveRequests } from './live-requests.ts';

/** The one mock that this page looks at. */
export const live = new LiveRequests();

/** Draws a component again whenever requests, worlds or the connection have changed. */
export function useLive(): LiveRequests {
  const [, draw] = useState(0);
  useEffect(() => live.listen(() => draw((count) => count + 1)), []);
  return live;
}

/** What an address answers: undefined before the first answer. */
export interface Loaded<Answer> {
  readonly answer: Answer | undefined;
  readonly problem: string | undefined;
  readonly reload: () => void;
}

interface Taken<Answer> {
  readonly path?: string | undefined;
  /** The number of the question. */
  readonly n?: number;
  readonly answer?: Answer;
  readonly problem?: string;
}

/** Reads an address of the control API, and again whenever `version` has changed. */
export function useControl<Answer>(path: string | undefined, version: unknown): Loaded<Answer> {
  const [taken, setTaken] = useState<Taken<Answer>>({});
  const [asked, ask] = useState(0);
  const questions = useRef(0);
  useEffect(() => {
    if (path === undefined) return;
    questions.current += 1;
    const n = questions.current;
    // An answer that is overtaken by a later one is dropped; one that is only late is not.
    const take = (came: Taken<Answer>): void => setTaken((last) => ((last.n ?? 0) > n ? last : came));
    control<Answer>('GET', path).then(
      (answer) => take({ path, n, answer }),
      (error: unknown) => take({ path, n, problem: messageOf(error) }),
    );
  }, [path, version, asked]);
  const { answer, problem }: Taken<Answer> = taken.path === path ? taken : {};
  return { answer, problem, reload: () => ask((count) => count + 1) };
}

/** Whether the screen is as narrow as that of a phone. */
export function useIsNarrow(): boolean {
  const [isNarrow, setIsNarrow] = useState(() => NARROW.matches);
  useEffect(() => {
    const look = (): void => setIsNarrow(NARROW.matches);
    NARROW.addEventListener('change', look);
    return () => NARROW.removeEventListener('change', look);
  }, []);
  return isNarrow;
}

const NARROW = matchMedia('(max-width: 760px)');
