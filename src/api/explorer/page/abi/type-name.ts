/** Type of an ABI, parsed from its text. */
export type TypeName =
  /** A name with its generic arguments: `core::array::Array::<core::felt252>`, `felt`. */
  | {
      readonly kind: "named";
      readonly text: string;
      readonly base: string;
      readonly args: readonly TypeName[];
    }
  /** `(A, B)`, or Cairo 0's `(a: A, b: B)`. */
  | { readonly kind: "tuple"; readonly text: string; readonly members: readonly TypeMember[] }
  /** `[T; N]`. */
  | {
      readonly kind: "fixed";
      readonly text: string;
      readonly of: TypeName;
      readonly length: number;
    }
  /** Cairo 0's `T*`: an array whose length is the parameter before it. */
  | { readonly kind: "pointer"; readonly text: string; readonly of: TypeName }
  /** A text that is no type, or too long or nested too deep. */
  | { readonly kind: "unknown"; readonly text: string };

/** Member of a tuple or structure; the name is empty if it has none. */
export interface TypeMember {
  readonly name: string;
  readonly type: TypeName;
}

const MAX_LENGTH = 4_000;
const MAX_DEPTH = 32;
const MAX_FIXED = 100_000;

const known = new Map<string, TypeName>();
const MAX_KNOWN = 5_000;

/** Parses the text of a type. Never throws: a text that is no type is `unknown`. */
export function typeNameOf(text: string): TypeName {
  const cached = known.get(text);
  if (cached !== undefined) return cached;
  const parsed = parse(text.slice(0, MAX_LENGTH + 1).trim(), 0);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(text, parsed);
  return parsed;
}

function parse(text: string, depth: number): TypeName {
  if (text === "" || text.length > MAX_LENGTH || depth > MAX_DEPTH) {
    return { kind: "unknown", text };
  }
  // A snapshot is serialised like its value.
  if (text.startsWith("@")) return parse(text.slice(1).trim(), depth + 1);
  if (text.endsWith("*")) {
    return { kind: "pointer", text, of: parse(text.slice(0, -1).trim(), depth + 1) };
  }
  if (text.startsWith("(")) return parseTuple(text, depth);
  if (text.startsWith("[")) return parseFixed(text, depth);
  return parseNamed(text, depth);
}

function parseTuple(text: string, depth: number): TypeName {
  const parts = text.endsWith(")") ? split(text.slice(1, -1)) : undefined;
  if (parts === undefined) return { kind: "unknown", text };
  const members = parts.map((member): TypeMember => {
    const [, name = "", type = member] = /^\s*([A-Za-z_]\w*)\s*:(?!:)(.*)$/s.exec(member) ?? [];
    return { name, type: parse(type.trim(), depth + 1) };
  });
  return { kind: "tuple", text, members };
}

function parseFixed(text: string, depth: number): TypeName {
  const semicolon = text.lastIndexOf(";");
  const [, digits = ""] = /^;\s*(\d{1,6})\s*\]$/.exec(text.slice(semicolon)) ?? [];
  const length = Number(digits);
  if (semicolon === -1 || digits === "" || length > MAX_FIXED) return { kind: "unknown", text };
  return { kind: "fixed", text, of: parse(text.slice(1, semicolon).trim(), depth + 1), length };
}

function parseNamed(text: string, depth: number): TypeName {
  const open = text.indexOf("<");
  const name = open === -1 ? text : text.slice(0, open);
  // Numbers are arguments of bounded integers.
  if (!/^(-?\d+|[A-Za-z_][\w:]*)$/.test(name)) return { kind: "unknown", text };
  if (open === -1) return { kind: "named", text, base: text, args: [] };
  const parts = text.endsWith(">") ? split(text.slice(open + 1, -1)) : undefined;
  if (parts === undefined) return { kind: "unknown", text };
  const args = parts.map((part) => parse(part.trim(), depth + 1));
  return { kind: "named", text, base: name.replace(/::$/, ""), args };
}

/** Splits at the commas that are in no bracket; `undefined` if brackets do not match. */
function split(text: string): readonly string[] | undefined {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if ("([<".includes(char)) depth++;
    if (")]>".includes(char) && --depth < 0) return undefined;
    if (char === "," && depth === 0) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  if (depth !== 0) return undefined;
  const last = text.slice(start);
  return last.trim() === "" ? parts : [...parts, last];
}
