/** A non-negative integer of the environment; `undefined` if it is unset. */
export function integerOfEnvironment(name: string): number | undefined {
  const text = process.env[name];
  if (text === undefined || text === "") return undefined;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new TypeError(`${name}=${text}: expected a non-negative integer`);
  }
  return value;
}
