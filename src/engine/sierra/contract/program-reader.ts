import type {
  Branch,
  FunctionDeclaration,
  GenericArgument,
  LibfuncDeclaration,
  Program,
  Statement,
  TypeDeclaration,
  TypeInfo,
} from "../program/program.ts";
import { userTypeIdFromNumber } from "../program/user-type.ts";
import { genericIdFromFelt } from "./generic-id.ts";
import { WordReader } from "./word-reader.ts";

/** Branch target that means the next statement. */
const FALLTHROUGH = 2n ** 64n - 1n;

const STORABLE = 1n;
const DROPPABLE = 2n;
const DUPLICATABLE = 4n;
const ZERO_SIZED = 8n;

/**
 * Decodes a program from its words: types, libfuncs, statements, functions, each list prefixed with its
 * length. Ignores trailing words.
 *
 * @throws {CompileError} SIERRA_DECODE when the words are not a program
 */
export function readProgram(words: readonly bigint[]): Program {
  const reader = new WordReader(words);
  const types = reader.list(() => readType(reader));
  const libfuncs = reader.list(() => readLibfunc(reader));
  const statements = reader.list(() => readStatement(reader));
  const count = reader.count();
  const functions = Array.from({ length: count }, (_, i) => readFunction(reader, i));
  return { types, libfuncs, statements, functions };
}

function readType(reader: WordReader): TypeDeclaration {
  const genericId = readGenericId(reader);
  const packed = reader.next();
  const count = packed & ((1n << 128n) - 1n);
  const args = readArguments(reader, count);
  return { genericId, args, declared: readInfo(packed >> 128n) };
}

function readInfo(flags: bigint): TypeInfo | undefined {
  if (flags === 0n) return undefined;
  return {
    storable: (flags & STORABLE) !== 0n,
    droppable: (flags & DROPPABLE) !== 0n,
    duplicatable: (flags & DUPLICATABLE) !== 0n,
    zeroSized: (flags & ZERO_SIZED) !== 0n,
  };
}

function readLibfunc(reader: WordReader): LibfuncDeclaration {
  const genericId = readGenericId(reader);
  return { genericId, args: readArguments(reader, reader.next()) };
}

function readGenericId(reader: WordReader): string {
  return genericIdFromFelt(reader.next()) ?? reader.refuse("the name of a type or libfunc");
}

function readArguments(reader: WordReader, count: bigint): GenericArgument[] {
  if (count > BigInt(reader.left)) return reader.refuse("a length that fits");
  return Array.from({ length: Number(count) }, () => readArgument(reader));
}

function readArgument(reader: WordReader): GenericArgument {
  switch (reader.number()) {
    case 0:
      return { kind: "user_type", id: userTypeIdFromNumber(reader.next()) };
    case 1:
      return { kind: "type", type: reader.number() };
    case 2:
      return { kind: "value", value: reader.next() };
    case 3:
      return { kind: "function", function: reader.number() };
    case 4:
      return { kind: "libfunc", libfunc: reader.number() };
    case 5:
      return { kind: "value", value: -reader.next() };
    default:
      return reader.refuse("a kind of argument from 0 to 5");
  }
}

function readStatement(reader: WordReader): Statement {
  switch (reader.number()) {
    case 0: {
      const libfunc = reader.number();
      const args = reader.list(() => reader.number());
      const branches = reader.list(() => readBranch(reader));
      return { kind: "invocation", libfunc, args, branches };
    }
    case 1:
      return { kind: "return", args: reader.list(() => reader.number()) };
    default:
      return reader.refuse("a statement: 0 or 1");
  }
}

function readBranch(reader: WordReader): Branch {
  const target = reader.next();
  const results = reader.list(() => reader.number());
  if (target === FALLTHROUGH) return { target: undefined, results };
  return target < FALLTHROUGH
    ? { target: Number(target), results }
    : reader.refuse("a statement index");
}

function readFunction(reader: WordReader, index: number): FunctionDeclaration {
  const types = reader.list(() => reader.number());
  const returns = reader.list(() => reader.number());
  const params = types.map((type) => ({ type, variable: reader.number() }));
  return { name: `function ${index}`, params, returns, entry: reader.number() };
}
