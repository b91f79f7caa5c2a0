import { isJsonObject, type JsonValue, parseJson } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import type { ContractClass } from "./class.ts";
import { sierraClassCodec } from "./sierra-class.ts";

/** Far above the arrays, objects and members of the largest classes with debug information. */
const MAX_PARTS = 8_000_000;

const EXPECTED =
  "a Sierra class as scarb and starknet-compile write it (*.contract_class.json), or a Cairo 0 class";

/** Other compiler outputs, recognised by a member that only they have. */
const MISTAKEN: readonly (readonly [member: string, what: string])[] = [
  ["bytecode", "this is a compiled class (CASM), which is the result of compiling"],
  ["contracts", "this is scarb's list of artifacts"],
  ["class_hash", "this is the name of a class"],
];

/**
 * Reads a class from the text of a file; its members decide the kind. The form of a Cairo 0 class is not
 * checked.
 *
 * @throws {DecodeError} when it is not JSON, has a wrong member, or is another kind of file, which the error
 *   names
 */
export function classFromFile(text: string): ContractClass {
  const value = read(text);
  if (!isJsonObject(value)) throw new DecodeError("", EXPECTED);
  if (Object.hasOwn(value, "sierra_program"))
    return sierraClassCodec.decode(value as JsonValue, "");
  const program = value["program"];
  if (isJsonObject(program)) {
    if (Object.hasOwn(program, "type_declarations")) {
      throw new DecodeError("", `${EXPECTED}: this is Sierra of a library or of an executable`);
    }
    return { kind: "legacy", json: text };
  }
  if (typeof program === "string") {
    throw new DecodeError("program", "an object: this one is packed, as in JSON-RPC");
  }
  const mistaken = MISTAKEN.find(([member]) => Object.hasOwn(value, member));
  throw new DecodeError("", mistaken === undefined ? EXPECTED : `${EXPECTED}: ${mistaken[1]}`);
}

function read(text: string): JsonValue {
  try {
    return parseJson(text, { maxParts: MAX_PARTS });
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const isLimit = error.meta["limit"] !== undefined;
    // The parser's message names the wrong character.
    const parser = error.cause instanceof Error ? ` (${error.cause.message})` : "";
    const expected = isLimit ? error.expected : `${EXPECTED}: this is not JSON${parser}`;
    throw new DecodeError("", expected, { cause: error });
  }
}
