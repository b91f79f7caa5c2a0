/** Yields to other tasks of the event loop. */
export function turn(): Promise<void> {
  return new Promise((done) => setImmediate(done));
}
