import { existsSync } from 'node:fs';
import { learnProfile, profileText } from '../../../suites/kit/profile-file/learn-profile.ts';
import { readProfile } from '../../../suites/kit/profile-file/read-profile.ts';
import { readReport } from '../../../suites/kit/reporting/report-schema.ts';
import { noteLine, writeLine } from '../terminal/output.ts';
import { prepareFile, writeWhole } from '../terminal/write-file.ts';

/**
 * `chat-conformance profile learn REPORT`: what was observed, as a profile; sends nothing. A file that is there
 * already keeps everything but its pins.
 * @throws {UsageError | FileError} Given a file that is not a report or not a profile, or that cannot be written.
 */
export function runLearnCommand(path: string, { write }: { readonly write?: string }): void {
  const report = readReport(path);
  const before = write !== undefined && existsSync(write) ? readProfile(write) : {};
  const learned = learnProfile(report, before);
  for (const note of learned.notes) noteLine(note);
  if (write === undefined) return writeLine(profileText(learned).trimEnd());
  prepareFile(write);
  writeWhole(write, profileText(learned));
  noteLine(`Written: ${write}`);
}
