/** Reports progress on standard error, separate from the tables on standard output. */
export function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}
