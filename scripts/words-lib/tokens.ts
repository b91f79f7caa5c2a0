/** Part of a TypeScript source that is not code. */
export interface Token {
  /** `template`: one chunk of a template literal, up to `${` or the closing backtick. */
  readonly kind: "comment" | "string" | "template" | "regexp";
  /** First character, delimiters included; for chunks of templates, the delimiters excluded. */
  readonly start: number;
  /** Position after the last character. */
  readonly end: number;
  /** Start of the literal that this token is part of: for template chunks, the opening backtick. */
  readonly literal: number;
}

/** Characters that may start a token, or close a substitution in a template. */
const NOTABLE = /["'`/{}]/g;

/** Last characters and words of code after which a slash starts a regular expression. */
const BEFORE_REGEXP =
  /(?:^|[=(,:!&|?[{;+\-*%~^<>]|\b(?:return|typeof|case|do|else|void|throw|yield|await))$/;

/**
 * Finds the comments, strings, template chunks and regular expressions of a TypeScript source, in their order.
 * Code in `${}` of templates is scanned as well. A slash after `)` or `}` is read as a division.
 */
export function tokensOf(source: string): readonly Token[] {
  return new Scanner(source).scan();
}

class Scanner {
  readonly #source: string;
  readonly #tokens: Token[] = [];
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  scan(): readonly Token[] {
    while (this.#at < this.#source.length) this.#code();
    return this.#tokens;
  }

  /** Scans code up to the end of the source, or behind the brace that closes a substitution. */
  #code(): void {
    let depth = 0;
    for (;;) {
      NOTABLE.lastIndex = this.#at;
      const found = NOTABLE.exec(this.#source);
      this.#at = found?.index ?? this.#source.length;
      if (found === null) return;
      const [char] = found;
      if (char === "`") this.#template();
      else if (char === "/") this.#slash();
      else if (char === "{" || char === "}") {
        this.#at++;
        depth += char === "{" ? 1 : -1;
        if (depth < 0) return;
      } else this.#add("string", closing(this.#source, this.#at + 1, char) + 1);
    }
  }

  #slash(): void {
    const next = this.#source[this.#at + 1];
    if (next === "/") this.#add("comment", indexOrEnd(this.#source, "\n", this.#at));
    else if (next === "*") this.#add("comment", indexOrEnd(this.#source, "*/", this.#at + 2) + 2);
    else if (BEFORE_REGEXP.test(this.#codeBefore())) {
      this.#add("regexp", closing(this.#source, this.#at + 1, "/") + 1);
    } else this.#at++;
  }

  /** The last word or sign of the code before this position; comments are skipped. */
  #codeBefore(): string {
    let end = this.#at;
    for (let index = this.#tokens.length - 1; ; index--) {
      const token = this.#tokens[index];
      const from = token?.end ?? 0;
      const text = this.#source.slice(Math.max(from, end - 40), end).trimEnd();
      if (text !== "" || token === undefined) return text;
      // A literal is a value: what follows it is a division.
      if (token.kind !== "comment") return "0";
      end = token.start;
    }
  }

  #template(): void {
    const literal = this.#at;
    for (;;) {
      const start = ++this.#at;
      while (this.#at < this.#source.length && !this.#endsChunk()) {
        this.#at += this.#source[this.#at] === "\\" ? 2 : 1;
      }
      const end = Math.min(this.#at, this.#source.length);
      this.#tokens.push({ kind: "template", start, end, literal });
      if (this.#source[end] !== "$") break;
      this.#at = end + 2;
      this.#code();
      if (this.#at >= this.#source.length) return;
      this.#at--;
    }
    this.#at++;
  }

  #endsChunk(): boolean {
    const char = this.#source[this.#at];
    return char === "`" || (char === "$" && this.#source[this.#at + 1] === "{");
  }

  #add(kind: Token["kind"], position: number): void {
    const start = this.#at;
    const end = Math.min(position, this.#source.length);
    this.#tokens.push({ kind, start, end, literal: start });
    this.#at = end;
  }
}

function indexOrEnd(source: string, text: string, from: number): number {
  const found = source.indexOf(text, from);
  return found === -1 ? source.length : found;
}

/** Position of the quote or slash that closes a literal; the end of its line when it is not closed. */
function closing(source: string, from: number, quote: string): number {
  let isInClass = false;
  for (let at = from; at < source.length; at++) {
    const char = source[at];
    if (char === "\\") at++;
    else if (char === "\n") return at - 1;
    else if (quote === "/" && char === "[") isInClass = true;
    else if (char === "]") isInClass = false;
    else if (char === quote && !isInClass) return at;
  }
  return source.length;
}
