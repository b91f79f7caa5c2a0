import { array, convert, type Decoder, felt, strictObject } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { StateChange } from "#services/sequencer/index.ts";
import { InvalidParamsError } from "../decode-params.ts";
import type { SpecVersion } from "../spec/version.ts";
import { writableAddress } from "./codecs.ts";

/** State changes in the wire form, and how errors name their values. */
export interface SentStateDiff {
  readonly change: Omit<StateChange, "classes">;
  /** Returns the path of a value of the change. */
  pathOf(member: keyof StateChange, index: number): string;
}

/** Maximum values of each list; one block is not larger. */
const MAX_VALUES = 10_000;

const STATE_DIFF = "state_diff";

function listOf<T>(item: Decoder<T>): Decoder<readonly T[]> {
  const list = array(item);
  return convert(list, `array of at most ${MAX_VALUES} values`, (values) =>
    values.length <= MAX_VALUES ? values : undefined,
  );
}

/** Decoder of `state_diff`, in the form of starknet-devnet; absent lists are empty. */
export function stateDiffOf(spec: SpecVersion): Decoder<SentStateDiff> {
  const contractClass = { class_hash: felt };
  const classPair = strictObject({ class_hash: felt, compiled_class_hash: felt });
  const members = strictObject(
    {},
    {
      storage_diffs: listOf(
        strictObject({
          address: writableAddress,
          storage_entries: listOf(strictObject({ key: spec.storageKey, value: felt })),
        }),
      ),
      nonces: listOf(strictObject({ contract_address: writableAddress, nonce: felt })),
      deployed_contracts: listOf(strictObject({ address: writableAddress, ...contractClass })),
      replaced_classes: listOf(
        strictObject({ contract_address: writableAddress, ...contractClass }),
      ),
      declared_classes: listOf(classPair),
      deprecated_declared_classes: listOf(felt),
      // Hashes of compiled classes follow from the protocol's version.
      migrated_compiled_classes: listOf(classPair),
    },
  );
  return {
    describe: members.describe,
    schema: members.schema,
    decode: (value, path) => sentStateDiff(members.decode(value, path)),
  };
}

interface Members {
  readonly storage_diffs?: readonly {
    readonly address: Felt;
    readonly storage_entries: readonly { readonly key: Felt; readonly value: Felt }[];
  }[];
  readonly nonces?: readonly { readonly contract_address: Felt; readonly nonce: Felt }[];
  readonly deployed_contracts?: readonly { readonly address: Felt; readonly class_hash: Felt }[];
  readonly replaced_classes?: readonly {
    readonly contract_address: Felt;
    readonly class_hash: Felt;
  }[];
  readonly declared_classes?: readonly ClassPair[];
  readonly deprecated_declared_classes?: readonly Felt[];
  readonly migrated_compiled_classes?: readonly ClassPair[];
}

interface ClassPair {
  readonly class_hash: Felt;
  readonly compiled_class_hash: Felt;
}

function sentStateDiff(members: Members): SentStateDiff {
  const {
    storage_diffs: storageDiffs = [],
    nonces = [],
    deployed_contracts: deployed = [],
    replaced_classes: replaced = [],
    declared_classes: declared = [],
    deprecated_declared_classes: deprecated = [],
    migrated_compiled_classes: migrated = [],
  } = members;
  if (migrated.length > 0) {
    throw invalid("migrated_compiled_classes", "no values: they cannot be set", "values");
  }
  const change = {
    storage: storageDiffs.flatMap(({ address, storage_entries: entries }) =>
      entries.map(({ key, value }) => ({ contractAddress: address, key, value })),
    ),
    nonces: nonces.map(({ contract_address: contractAddress, nonce }) => ({
      contractAddress,
      nonce,
    })),
    deployed: deployed.map((one) => ({ contractAddress: one.address, classHash: one.class_hash })),
    replaced: replaced.map((one) => ({
      contractAddress: one.contract_address,
      classHash: one.class_hash,
    })),
    declared: [
      ...declared.map((one) => ({
        classHash: one.class_hash,
        compiledClassHash: one.compiled_class_hash,
      })),
      ...deprecated.map((classHash) => ({ classHash, compiledClassHash: 0n })),
    ],
    onlyDeployed: true,
  };
  const storagePaths = storageDiffs.flatMap(({ storage_entries: entries }, index) =>
    entries.map(() => `storage_diffs[${index}].address`),
  );
  const pathOf = (member: keyof StateChange, index: number): string => {
    if (member === "classes") return `classes[${index}]`;
    return `${STATE_DIFF}.${PATHS[member](index, { storagePaths, declared: declared.length })}`;
  };
  requireUnique(storageDiffs, "storage_diffs", "address", ({ address }) => address);
  for (const [index, { storage_entries: entries }] of storageDiffs.entries()) {
    requireUnique(entries, `storage_diffs[${index}].storage_entries`, "key", ({ key }) => key);
  }
  requireUnique(nonces, "nonces", "contract_address", (one) => one.contract_address);
  requireUnique(deployed, "deployed_contracts", "address", ({ address }) => address);
  requireUnique(replaced, "replaced_classes", "contract_address", (one) => one.contract_address);
  requireUnique(declared, "declared_classes", "class_hash", ({ class_hash: hash }) => hash);
  requireUnique(deprecated, "deprecated_declared_classes", "", (hash) => hash);
  requireApart(change.replaced, change.deployed, pathOf);
  return { change, pathOf };
}

interface PathParts {
  readonly storagePaths: readonly string[];
  /** Number of declared Sierra classes, which precede the Cairo 0 classes. */
  readonly declared: number;
}

const PATHS: Readonly<
  Record<Exclude<keyof StateChange, "classes">, (index: number, parts: PathParts) => string>
> = {
  storage: (index, { storagePaths }) => storagePaths[index] ?? "storage_diffs",
  nonces: (index) => `nonces[${index}].contract_address`,
  deployed: (index) => `deployed_contracts[${index}].address`,
  replaced: (index) => `replaced_classes[${index}].contract_address`,
  declared: (index, { declared }) =>
    index < declared
      ? `declared_classes[${index}]`
      : `deprecated_declared_classes[${index - declared}]`,
  onlyDeployed: () => "storage_diffs",
};

function requireUnique<T>(
  values: readonly T[],
  list: string,
  member: string,
  keyOf: (value: T) => Felt,
): void {
  const seen = new Set<Felt>();
  for (const [index, value] of values.entries()) {
    const key = keyOf(value);
    if (seen.has(key)) {
      const path = `${list}[${index}]${member === "" ? "" : `.${member}`}`;
      throw invalid(path, "a value that no earlier entry has", "a repeated one");
    }
    seen.add(key);
  }
}

function requireApart(
  replaced: StateChange["replaced"],
  deployed: StateChange["deployed"],
  pathOf: SentStateDiff["pathOf"],
): void {
  const addresses = new Set(deployed.map(({ contractAddress }) => contractAddress));
  const index = replaced.findIndex(({ contractAddress }) => addresses.has(contractAddress));
  if (index === -1) return;
  throw new InvalidParamsError(
    pathOf("replaced", index),
    "a contract that deployed_contracts does not have",
    "one of deployed_contracts",
  );
}

function invalid(path: string, expected: string, got: string): InvalidParamsError {
  return new InvalidParamsError(`${STATE_DIFF}.${path}`, expected, got);
}
