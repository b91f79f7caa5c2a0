/** A signal that is aborted with the first of others, until they are unlinked. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** To be called when what the signal ends is over: the others keep nothing of it then. */
  unlink(): void;
}

/**
 * One signal for several, for a request among many. Not `AbortSignal.any`: what that makes of a signal
 * that lives as long as the node is kept by it.
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
