/** The name of a journal in its report folder. */
export const JOURNAL = 'journal.ndjson';
