import { invariant } from "#base/errors/index.ts";
import { unpackWords } from "#engine/sierra/contract/unpack.ts";

/** Words of a Sierra program, one list for each type, libfunc, statement and function. */
export interface ProgramWords {
  /** Versions of Sierra and of the compiler. */
  readonly versions: readonly bigint[];
  readonly types: readonly Words[];
  readonly libfuncs: readonly Words[];
  readonly statements: readonly Words[];
  readonly functions: readonly Words[];
}

type Words = readonly bigint[];

const VERSION_FELTS = 6;
const COUNT_MASK = (1n << 128n) - 1n;

/** Splits a class's program, which must be valid, into words. */
export function programWords(felts: readonly bigint[]): ProgramWords {
  const words = unpackWords(felts.slice(VERSION_FELTS));
  let at = 0;
  const next = (): bigint => {
    const word = words[at++];
    invariant(word !== undefined, "the program has all its words");
    return word;
  };
  const count = (): number => Number(next() & COUNT_MASK);
  const item = (skip: () => void): Words => {
    const start = at;
    skip();
    return words.slice(start, at);
  };
  const list = (skip: () => void): Words[] => Array.from({ length: count() }, () => item(skip));
  const skipList = (size = 1): void => {
    const skipped = count() * size;
    at += skipped;
  };
  const declaration = (): void => {
    next();
    skipList(2);
  };
  const statement = (): void => {
    if (next() === 1n) return skipList();
    next();
    skipList();
    for (let branches = count(); branches > 0; branches--) {
      next();
      skipList();
    }
  };
  const declaredFunction = (): void => {
    const params = count();
    at += params;
    skipList();
    at += params + 1;
  };
  return {
    versions: felts.slice(0, VERSION_FELTS),
    types: list(declaration),
    libfuncs: list(declaration),
    statements: list(statement),
    functions: list(declaredFunction),
  };
}

/** Words of a program in one list, as they are packed. */
export function wordsOf({ types, libfuncs, statements, functions }: ProgramWords): bigint[] {
  return [types, libfuncs, statements, functions].flatMap((items) => [
    BigInt(items.length),
    ...items.flat(),
  ]);
}

/** Packs words: the code book, then indices into it. The inverse of reading a class's program. */
export function packedWords(versions: readonly bigint[], words: readonly bigint[]): bigint[] {
  const book = [...new Set(words)];
  const indices = new Map(book.map((word, index) => [word, BigInt(index)]));
  const bits = Math.max(8, Math.ceil(Math.log2(book.length)));
  const perFelt = Math.floor(251 / bits);
  const packed: bigint[] = [];
  for (let at = 0; at < words.length; at += perFelt) {
    const digits = words.slice(at, at + perFelt).map((word) => indices.get(word) ?? 0n);
    packed.push(digits.reduceRight((felt, digit) => (felt << BigInt(bits)) | digit, 0n));
  }
  const padding = 2 ** bits - book.length;
  return [
    ...versions,
    ...[BigInt(book.length), BigInt(padding)],
    ...book,
    BigInt(words.length),
    ...packed,
  ];
}
