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
  const settings = Object.entries(process.env).filter(([name]) => /^BUN_(JSC|GC)_/.test(name));
  return Object.fromEntries(settings) as Record<string, string>;
}
