import { printable } from '../../../suites/engine/text/printable.ts';
import type { Redactor } from '../../../suites/engine/text/redact.ts';
import { freePort, PORT, startGroup } from '../../caller/process-group.ts';
import type { ResolvedFlags } from '../options/check-table.ts';
import { UsageError, noteLine } from '../terminal/terminal.ts';

export type StartedService = Awaited<ReturnType<typeof startService>>;

const MOST_LINES = 20;

/** Starts a service in a process group of its own. A shell runs the command in the folder. */
export async function startService(command: string, folder: string) {
  const { child, printed, end } = await startGroup(command, { cwd: folder });
  /** How its command ended, other than with code 0, which may have left the service in the background. */
  const death = (): string | undefined =>
    child.signalCode ?? ((child.exitCode ?? 0) === 0 ? undefined : `exit code ${child.exitCode}`);
  let isNoted = false;
  return {
    death,
    /** Says once how it ended, with its last lines, without the keys of the run. */
    noteDeath: ({ text }: Redactor): void => {
      if (isNoted || death() === undefined) return;
      isNoted = true;
      const output = printed.output.trimEnd();
      const lines = output === '' ? [] : output.split(/\r?\n/).slice(-MOST_LINES);
      const which = lines.length === 0 ? ' and printed nothing' : ':';
      noteLine(`The service that --start started has ended (${death()})${which}`);
      for (const line of lines) noteLine(`  ${printable(text(line))}`);
    },
    /** Ends its process group: politely first, and by force after so many milliseconds. */
    stop: async (graceMs: number): Promise<void> => {
      await end(graceMs);
      for (const stream of child.stdio) stream?.destroy();
    },
  };
}

/**
 * The flags with a free port of the loopback address in place of `{port}`: in the command that starts the service, in the
 * base URL and in the control URL.
 */
export function fillPort(flags: ResolvedFlags): ResolvedFlags {
  const { start, baseUrl, controlUrl } = flags;
  const texts = Object.entries({ start, baseUrl, controlUrl }).filter(([, text]) => text?.includes(PORT));
  if (texts.length === 0) return flags;
  if (start?.includes(PORT) !== true)
    throw new UsageError(
      `${PORT} in a URL requires ${PORT} in --start: it is the port on which the service listens`,
    );
  const port = String(freePort());
  const filled = texts.map(([name, text = '']) => [name, text.replaceAll(PORT, port)]);
  return { ...flags, ...Object.fromEntries(filled) };
}
