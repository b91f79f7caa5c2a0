import { HIDDEN, isShownSegment } from "#base/primitives/index.ts";

/** A shorter secret is hidden only as a whole word: it may be part of any word. */
const SHORT = 8;

/** Parts of an address that may be keys: user, password, segments of the path, values of the query. */
export function secretsOf({ username, password, pathname, searchParams }: URL): readonly string[] {
  const segments = pathname.split("/").filter((segment) => !isShownSegment(segment));
  // A parameter without a value is a value without a name.
  const query = [...searchParams].map(([name, value]) => (value === "" ? name : value));
  return [username, password, ...segments, ...query];
}

/**
 * Makes a function that replaces secrets in a text by `***`, plain or percent-encoded, in any case.
 *
 * @returns the identity when there are no secrets
 */
export function maskOf(secrets: readonly string[]): (text: string) => string {
  const forms = new Set(secrets.flatMap(formsOf).filter((form) => form !== ""));
  if (forms.size === 0) return (text) => text;
  // Longest first: one may be a part of another.
  const patterns = [...forms].toSorted((a, b) => b.length - a.length).map(patternOf);
  const pattern = new RegExp(patterns.join("|"), "gi");
  return (text) => text.replace(pattern, HIDDEN);
}

function formsOf(secret: string): readonly string[] {
  const plain = decoded(secret);
  return [secret, plain, encodeURIComponent(plain)];
}

function patternOf(form: string): string {
  const literal = form.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  return form.length < SHORT ? `(?<!\\w)${literal}(?!\\w)` : literal;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
