/** Lets everything else that waits on this thread go first. */
export function turn(): Promise<void> {
  return new Promise((done) => setImmediate(done));
}
