import { starknetKeccak } from "#protocol/crypto/index.ts";
import type {
  GenericArgument,
  Program,
  Statement,
  TypeInfo,
} from "#engine/sierra/program/program.ts";
import { packedWords } from "./program-words.ts";

const FALLTHROUGH = 2n ** 64n - 1n;

/** Maximum length of a generic id in plain form; longer ones are hashed. */
const MAX_NAME = 31;

/** Marks that a type's info is declared. */
const STATED = 2n ** 63n;

/**
 * Felts of a program in a class: the inverse of decoding.
 *
 * @param versions - of Sierra and of the compiler, six felts
 */
export function programFelts(versions: readonly bigint[], program: Program): bigint[] {
  return packedWords(versions, programToWords(program));
}

/** Words of a program, before packing. */
export function programToWords({ types, libfuncs, statements, functions }: Program): bigint[] {
  return [
    ...list(types, ({ genericId, args, declared }) => [
      idWord(genericId),
      BigInt(args.length) + (infoWord(declared) << 128n),
      ...args.flatMap(argumentWords),
    ]),
    ...list(libfuncs, ({ genericId, args }) => [idWord(genericId), ...list(args, argumentWords)]),
    ...list(statements, statementWords),
    ...list(functions, ({ params, returns, entry }) => [
      ...numbers(params.map(({ type }) => type)),
      ...numbers(returns),
      ...params.map(({ variable }) => BigInt(variable)),
      BigInt(entry),
    ]),
  ];
}

function list<T>(items: readonly T[], words: (item: T) => bigint[]): bigint[] {
  return [BigInt(items.length), ...items.flatMap(words)];
}

function numbers(items: readonly number[]): bigint[] {
  return list(items, (item) => [BigInt(item)]);
}

function idWord(genericId: string): bigint {
  const hex = Buffer.from(genericId).toString("hex");
  return hex.length > 2 * MAX_NAME ? starknetKeccak(genericId) : BigInt(`0x${hex || 0}`);
}

function infoWord(info: TypeInfo | undefined): bigint {
  if (info === undefined) return 0n;
  const flags = [info.storable, info.droppable, info.duplicatable, info.zeroSized];
  return flags.reduce((word, flag, bit) => (flag ? word | (1n << BigInt(bit)) : word), STATED);
}

function argumentWords(argument: GenericArgument): bigint[] {
  switch (argument.kind) {
    case "user_type":
      return [0n, BigInt(argument.id)];
    case "type":
      return [1n, BigInt(argument.type)];
    case "value":
      return argument.value < 0n ? [5n, -argument.value] : [2n, argument.value];
    case "function":
      return [3n, BigInt(argument.function)];
    case "libfunc":
      return [4n, BigInt(argument.libfunc)];
  }
}

function statementWords(statement: Statement): bigint[] {
  if (statement.kind === "return") return [1n, ...numbers(statement.args)];
  return [
    0n,
    BigInt(statement.libfunc),
    ...numbers(statement.args),
    ...list(statement.branches, ({ target, results }) => [
      target === undefined ? FALLTHROUGH : BigInt(target),
      ...numbers(results),
    ]),
  ];
}
