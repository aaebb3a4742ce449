import type { Summary } from '../../../suites/kit/model/summary.ts';
import { writeReports } from './report-folder.ts';
import { noteLine } from '../write-line.ts';

/** Writes the reports and says where; false when the folder does not take them any more, which is said too. */
export async function saveReports(folder: string, summary: Summary): Promise<boolean> {
  try {
    noteLine(`Written: ${(await writeReports(folder, summary)).join(' ')}`);
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error;
    noteLine(`error: cannot write the reports to ${folder} (${String(error.code)})`);
    return false;
  }
}
