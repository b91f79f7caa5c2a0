/** Signal that is aborted with the first of several others, until it is unlinked. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  /**
   * Detaches the signal. Call it when the operation ends, so that the other signals do not keep a reference.
   */
  unlink(): void;
}

/**
 * Combines several signals into one for a single request. Not `AbortSignal.any`: a signal derived from a
 * long-lived one stays referenced by it.
 */
export function linkedSignal(signals: readonly AbortSignal[]): LinkedSignal {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  for (const each of signals) {
    each.addEventListener("abort", end);
    if (each.aborted) end();
  }
  return {
    signal: ended.signal,
    unlink() {
      for (const each of signals) each.removeEventListener("abort", end);
    },
  };
}
