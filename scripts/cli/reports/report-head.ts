import { readFileSync } from 'node:fs';

/** Which run a `report.json` is about. */
export interface ReportHead {
  /** ISO 8601. */
  readonly startedAt: string;
  readonly baseUrl: string | undefined;
  /** `mock` or `live`. */
  readonly kind: unknown;
  readonly hasBegun: boolean;
}

/** Undefined for a file that is no report. The whole report is read elsewhere, by its schema. */
export function reportHead(file: string): ReportHead | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const { format, startedAt, target, notBegun } = {
      format: undefined,
      startedAt: undefined,
      target: undefined,
      notBegun: undefined,
      ...Object(value),
    };
    if (format !== 'chat-conformance/report' || typeof startedAt !== 'string') return undefined;
    const { baseUrl, kind } = { baseUrl: undefined, kind: undefined, ...Object(target) };
    return {
      startedAt,
      baseUrl: typeof baseUrl === 'string' ? baseUrl : undefined,
      kind,
      hasBegun: notBegun === undefined,
    };
  } catch {
    return undefined;
  }
}
