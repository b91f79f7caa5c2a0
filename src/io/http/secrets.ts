import { HIDDEN, isShownSegment } from "#base/primitives/index.ts";

/** Shorter secrets are masked only as whole words: they may occur within any word. */
const SHORT = 8;

/** Returns the parts of a URL that may be secrets: user, password, path segments, query values. */
export function secretsOf({ username, password, pathname, searchParams }: URL): readonly string[] {
  const segments = pathname.split("/").filter((segment) => !isShownSegment(segment));
  // A parameter without a value may be a bare secret.
  const query = [...searchParams].map(([name, value]) => (value === "" ? name : value));
  return [username, password, ...segments, ...query];
}

/**
 * Creates a function that replaces secrets in a text by `***`: plain or percent-encoded, ignoring case.
 *
 * @returns the identity when there are no secrets
 */
export function maskOf(secrets: readonly string[]): (text: string) => string {
  const forms = new Set(secrets.flatMap(formsOf).filter((form) => form !== ""));
  if (forms.size === 0) return (text) => text;
  // Longest first: one may contain another.
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
