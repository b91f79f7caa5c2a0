/**
 * Reads an environment variable that holds a non-negative integer.
 *
 * @returns `undefined` if it is unset
 */
export function integerOfEnvironment(name: string): number | undefined {
  const text = process.env[name];
  if (text === undefined || text === "") return undefined;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new TypeError(`${name}=${text}: expected a non-negative integer`);
  }
  return value;
}

/** Settings of the JavaScript runtime, which a test run passes to all programs that it starts. */
export function runtimeSettings(): Readonly<Record<string, string>> {
  return variablesThat((name) => /^BUN_(JSC|GC)_/.test(name));
}

/** Numbers of threads of nodes, which a quick run limits. */
export function threadSettings(): Readonly<Record<string, string>> {
  return variablesThat((name) => /^APPCHAIN_(QUERY_THREADS|EXPLORER)$/.test(name));
}

function variablesThat(isKept: (name: string) => boolean): Readonly<Record<string, string>> {
  const kept = Object.entries(process.env).filter(([name]) => isKept(name));
  return Object.fromEntries(kept) as Record<string, string>;
}
