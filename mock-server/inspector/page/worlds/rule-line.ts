/** A rule as for `--fault`, from the fields of a form; empty ones are left out. */
export function ruleLine(fault: string, values: Readonly<Record<string, string>>): string {
  const given = Object.entries(values).filter(([, value]) => value.trim() !== '');
  return [fault, ...given.map(([name, value]) => `${name}=${quoted(value.trim())}`)].join(' ');
}

function quoted(value: string): string {
  return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}
