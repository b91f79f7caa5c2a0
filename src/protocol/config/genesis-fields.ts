import { type Felt, feltFromHex, hexFromFelt } from "#base/primitives/index.ts";
import {
  type GenesisBalance,
  type GenesisClass,
  type GenesisClassReference,
  type GenesisConfig,
  type GenesisContract,
  SHIPPED_CONTRACTS,
  type ShippedContract,
} from "./chain-config.ts";
import { listField, mapField, memberText, shapeField } from "./collection-fields.ts";
import { type Field, optional, required, section, shapesOf } from "./field.ts";
import type { IssueList } from "./issue-list.ts";
import {
  absentField,
  addressField,
  bigintField,
  choiceField,
  feltField,
  pathField,
  scalar,
} from "./scalar-fields.ts";
import { type ConfigNode, lineAt } from "./tree.ts";

const addressNames = {
  describe: addressField.describe,
  read: (name: string): Felt | undefined => addressBelow(name, 1n),
  write: hexFromFelt,
};

const storageKeyNames = {
  describe: "storage key (0x hex below 2^251)",
  read: (name: string): Felt | undefined => addressBelow(name, 0n),
  write: hexFromFelt,
};

function addressBelow(name: string, min: bigint): Felt | undefined {
  const value = feltFromHex(name);
  return value !== undefined && value >= min && value < 1n << 251n ? value : undefined;
}

/** Name that cannot be mistaken for a class hash. */
const classNameField: Field<string> = scalar(
  "name of a class that does not begin with 0x, of 1 to 100 printable ASCII characters",
  (text) => (/^(?!0x)[\x20-\x7e]{1,100}$/i.test(text) ? text : undefined),
  (value) => value,
);

interface BuiltinClass {
  readonly name: string;
  readonly builtin: ShippedContract;
}

interface FileClass {
  readonly name: string;
  readonly sierra: string;
  readonly casm: string | null;
}

const builtinClass = section<BuiltinClass>("class with name and builtin", {
  name: required("name", classNameField),
  builtin: required("builtin", choiceField(...SHIPPED_CONTRACTS)),
});

const fileClass = section<FileClass>("class with name, sierra and optional casm", {
  name: required("name", classNameField),
  sierra: required("sierra", pathField),
  casm: optional("casm", absentField(pathField), null),
});

const builtinVariant: Field<GenesisClass> = {
  describe: builtinClass.describe,
  read(node, path, issues) {
    const value = builtinClass.read(node, path, issues);
    return value && { name: value.name, source: { kind: "builtin", builtin: value.builtin } };
  },
  write: ({ name, source }) =>
    source.kind === "builtin" ? { name, builtin: source.builtin } : undefined,
};

const fileVariant: Field<GenesisClass> = {
  describe: fileClass.describe,
  read(node, path, issues) {
    const value = fileClass.read(node, path, issues);
    return (
      value && {
        name: value.name,
        source: { kind: "files", sierraPath: value.sierra, casmPath: value.casm },
      }
    );
  },
  write: ({ name, source }) =>
    source.kind === "files"
      ? fileClass.write({ name, sierra: source.sierraPath, casm: source.casmPath })
      : undefined,
};

const genesisClass: Field<GenesisClass> = shapeField(
  "class with name, and either builtin or sierra",
  (node) => (memberText(node, "builtin") === undefined ? fileVariant : builtinVariant),
  (value) => (value.source.kind === "builtin" ? builtinVariant : fileVariant),
  { "with builtin": builtinClass, "with sierra": fileClass },
);

const classReference: Field<GenesisClassReference> = scalar(
  "name of a genesis class, or class hash as 0x hex",
  (text): GenesisClassReference | undefined => {
    if (!/^0x/i.test(text)) return text === "" ? undefined : { kind: "name", name: text };
    const classHash = feltFromHex(text);
    return classHash === undefined ? undefined : { kind: "hash", classHash };
  },
  (value) => (value.kind === "name" ? value.name : hexFromFelt(value.classHash)),
);

/** Felt as 0x hex or plain digits. */
const looseFelt: Field<Felt> = scalar(
  feltField.describe,
  (text) => feltFromHex(/^\d{1,76}$/.test(text) ? `0x${BigInt(text).toString(16)}` : text),
  hexFromFelt,
);

const contract = section<GenesisContract>("contract with class", {
  class: required("class", classReference),
  nonce: optional("nonce", looseFelt, 0n),
  storage: optional("storage", mapField(storageKeyNames, looseFelt), new Map<Felt, Felt>()),
});

const balance = section<GenesisBalance>("balance with address, token and amount", {
  address: required("address", addressField),
  token: required("token", choiceField("strk", "eth")),
  amount: required("amount", bigintField(0n, (1n << 256n) - 1n)),
});

const genesisSection = section<GenesisConfig>("genesis with classes, contracts and balances", {
  classes: optional("classes", listField(genesisClass), []),
  contracts: optional(
    "contracts",
    mapField(addressNames, contract),
    new Map<Felt, GenesisContract>(),
  ),
  balances: optional("balances", listField(balance), []),
});

/**
 * Configuration field `genesis`: classes, contracts and balances at genesis; checks the class names
 * that contracts use.
 */
export const genesisField: Field<GenesisConfig> = {
  describe: genesisSection.describe,
  ...shapesOf(genesisSection),
  read(node, path, issues) {
    const before = issues.count;
    const genesis = genesisSection.readMembers(node, path, issues);
    if (genesis === undefined) return undefined;
    checkNames(genesis, node, path, issues);
    return issues.count === before ? (genesis as GenesisConfig) : undefined;
  },
  write: (value) => genesisSection.write(value),
};

/** Reports duplicate names and references to undefined names. */
function checkNames(
  { classes, contracts }: Partial<GenesisConfig>,
  node: ConfigNode,
  path: string,
  issues: IssueList,
): void {
  // A wrong class has no known name either; one finding is enough.
  if (classes === undefined) return;
  const names = new Set<string>();
  for (const [i, { name }] of classes.entries()) {
    if (names.has(name)) {
      const line = lineAt(node, ["classes", String(i)]);
      issues.add(`${path}.classes[${i}].name`, line, `the class ${name} is defined twice`);
    }
    names.add(name);
  }
  const known = [...names].slice(0, 20).join(", ") || "none defined";
  for (const [address, { class: reference }] of contracts ?? []) {
    if (reference.kind !== "name" || names.has(reference.name)) continue;
    issues.add(
      `${path}.contracts.${hexFromFelt(address)}.class`,
      contractLine(node, address),
      `expected one of the genesis classes (${known}), got "${reference.name}"`,
    );
  }
}

/** Line of a contract, whose address may have leading zeros in the file. */
function contractLine(node: ConfigNode, address: Felt): number {
  const contracts = node.kind === "map" ? node.entries.get("contracts")?.node : undefined;
  if (contracts?.kind !== "map") return node.line;
  for (const [name, { line }] of contracts.entries) {
    if (feltFromHex(name) === address) return line;
  }
  return node.line;
}
