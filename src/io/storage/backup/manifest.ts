import { isJsonObject, parseJson } from "#base/codec/index.ts";
import { StorageError } from "#base/errors/index.ts";

/** Parts of a backup, in order. */
export const PART_NAMES = ["chain.db", "mempool.db", "block-signing.key"] as const;

/** File in a backup. */
export interface BackupPart {
  readonly name: (typeof PART_NAMES)[number];
  readonly sizeBytes: number;
}

/** Metadata of a backup. */
export interface BackupManifest {
  readonly chainId: string;
  readonly schemaVersion: number;
  /** Newest block; `null` if the chain is empty. */
  readonly newestBlock: number | null;
  readonly program: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** In the order of {@link PART_NAMES}; the first one is always present. */
  readonly parts: readonly BackupPart[];
}

/** Version of the written manifest format. */
const FORMAT = 1;

/** Encodes the manifest as JSON text. */
export function manifestText(manifest: BackupManifest): string {
  return JSON.stringify({ format: FORMAT, ...manifest });
}

/**
 * Decodes a manifest; unknown members are ignored.
 *
 * @param path - path of the backup, for messages
 * @throws {StorageError} STORAGE_BACKUP_DAMAGED when it is not a manifest
 */
export function readManifest(text: string, path: string): BackupManifest {
  const fail = (field: string, expected: string): never => {
    const message = `${path}: the backup's ${field} is damaged: expected ${expected}`;
    throw new StorageError("STORAGE_BACKUP_DAMAGED", message, { meta: { path } });
  };
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return fail("manifest", "JSON");
  }
  if (!isJsonObject(value)) return fail("manifest", "an object");
  const string = (name: string, form: RegExp): string => {
    const found = value[name];
    return typeof found === "string" && form.test(found) ? found : fail(name, String(form));
  };
  if (Number(value["format"]) !== FORMAT) fail("format", `${FORMAT}; use a newer program`);
  return {
    chainId: string("chainId", /^[\x21-\x7e]{1,31}$/),
    schemaVersion: count(value["schemaVersion"]) ?? fail("schemaVersion", "a number"),
    newestBlock: value["newestBlock"] === null ? null : (count(value["newestBlock"]) ?? null),
    program: string("program", /^[\x20-\x7e]{1,100}$/),
    createdAt: string("createdAt", /^[\d:.TZ-]{10,40}$/),
    parts: partsOf(value["parts"]) ?? fail("parts", PART_NAMES.join(", ")),
  };
}

function partsOf(value: unknown): BackupPart[] | undefined {
  if (!Array.isArray(value) || value.length > PART_NAMES.length) return undefined;
  const parts: BackupPart[] = [];
  let next = 0;
  for (const part of value as readonly unknown[]) {
    if (!isJsonObject(part)) return undefined;
    const name = PART_NAMES.slice(next).find((known) => known === part["name"]);
    const sizeBytes = count(part["sizeBytes"]);
    if (name === undefined || sizeBytes === undefined) return undefined;
    next = PART_NAMES.indexOf(name) + 1;
    parts.push({ name, sizeBytes });
  }
  return parts[0]?.name === "chain.db" ? parts : undefined;
}

function count(value: unknown): number | undefined {
  const number = typeof value === "bigint" ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0
    ? number
    : undefined;
}
