import { type ContractClass, type LegacyClass, sierraClassCodec } from "#protocol/chain/index.ts";
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "#base/codec/index.ts";
import { invariant } from "#base/errors/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";

/** Encodes CONTRACT_CLASS or DEPRECATED_CONTRACT_CLASS of JSON-RPC 0.10. */
export function encodeContractClass(contractClass: ContractClass): JsonValue {
  return contractClass.kind === "sierra"
    ? sierraClassCodec.encode(contractClass)
    : encodeLegacyClass(contractClass);
}

const TABLES = ["CONSTRUCTOR", "EXTERNAL", "L1_HANDLER"] as const;

/** The program is the base64 of the gzip of its original text: the class hash depends on member order. */
function encodeLegacyClass({ json }: LegacyClass): JsonObject {
  const parsed = parseJson(json);
  const program = memberText(json, "program");
  invariant(isJsonObject(parsed) && program !== undefined, "a stored Cairo 0 class has a program");
  const tables = parsed["entry_points_by_type"];
  invariant(isJsonObject(tables), "a stored Cairo 0 class has entry points");
  const abi = parsed["abi"];
  return {
    program: Bun.gzipSync(new TextEncoder().encode(program)).toBase64(),
    entry_points_by_type: Object.fromEntries(
      TABLES.map((name) => [name, entryPoints(tables[name])]),
    ),
    ...(Array.isArray(abi) ? { abi: abi as readonly JsonValue[] } : {}),
  };
}

/** Compilers wrote offsets as hex text, some tools as decimal text or numbers. */
function entryPoints(table: unknown): JsonObject[] {
  if (!Array.isArray(table)) return [];
  return table.filter(isJsonObject).map((entry) => ({
    offset: hexFromFelt(BigInt(entry["offset"] as string | number | bigint)),
    selector: hexFromFelt(BigInt(entry["selector"] as string | number | bigint)),
  }));
}

/**
 * Returns the text of a member of the outermost object of valid JSON, exactly as written.
 *
 * @returns `undefined` if there is no such member
 */
export function memberText(json: string, name: string): string | undefined {
  const quoted = JSON.stringify(name);
  let depth = 0;
  let start: number | undefined;
  for (let i = 0; i < json.length; i++) {
    const char = json[i];
    if (char === '"') {
      const end = endOfText(json, i);
      if (depth === 1 && start === undefined && json.slice(i, end + 1) === quoted) {
        const colon = /^\s*:/.exec(json.slice(end + 1, end + 65));
        if (colon !== null) start = end + 1 + colon[0].length;
      }
      i = end;
    } else if (char === "{" || char === "[") depth++;
    else if (char === "}" || char === "]") {
      depth--;
      if (depth === 0 && start !== undefined) return json.slice(start, i).trim();
    } else if (char === "," && depth === 1 && start !== undefined) {
      return json.slice(start, i).trim();
    }
  }
  return undefined;
}

/** Index of the quote that closes the text literal opening at `start`. */
function endOfText(json: string, start: number): number {
  for (let i = start + 1; i < json.length; i++) {
    if (json[i] === "\\") i++;
    else if (json[i] === '"') return i;
  }
  return json.length;
}
