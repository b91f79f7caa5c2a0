/** Says how it goes, beside the tables on standard output. */
export function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}
