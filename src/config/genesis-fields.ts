import { type Felt, feltFromHex, hexFromFelt } from "#primitives/index.ts";
import type {
  GenesisBalance,
  GenesisClass,
  GenesisClassReference,
  GenesisConfig,
  GenesisContract,
} from "./chain-config.ts";
import { listField, mapField, memberText, shapeField } from "./collection-fields.ts";
import { type Field, optional, required, section } from "./field.ts";
import {
  absentField,
  addressField,
  bigintField,
  choiceField,
  feltField,
  scalar,
  textField,
} from "./scalar-fields.ts";

const hexNames = {
  describe: "felt (0x hex below the Stark prime)",
  read: (name: string): Felt | undefined => feltFromHex(name),
  write: hexFromFelt,
};

interface BuiltinClass {
  readonly name: string;
  readonly builtin: string;
}

interface FileClass {
  readonly name: string;
  readonly sierra: string;
  readonly casm: string | null;
}

const builtinClass = section<BuiltinClass>("class with name and builtin", {
  name: required("name", textField),
  builtin: required("builtin", textField),
});

const fileClass = section<FileClass>("class with name, sierra and perhaps casm", {
  name: required("name", textField),
  sierra: required("sierra", textField),
  casm: optional("casm", absentField(textField), null),
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
);

const classReference: Field<GenesisClassReference> = scalar(
  "name of a genesis class, or class hash as 0x hex",
  (text): GenesisClassReference | undefined => {
    if (!text.startsWith("0x")) return text === "" ? undefined : { kind: "name", name: text };
    const classHash = feltFromHex(text);
    return classHash === undefined ? undefined : { kind: "hash", classHash };
  },
  (value) => (value.kind === "name" ? value.name : hexFromFelt(value.classHash)),
);

/** A felt as 0x hex or plain digits. */
const looseFelt: Field<Felt> = scalar(
  feltField.describe,
  (text) => feltFromHex(/^\d{1,76}$/.test(text) ? `0x${BigInt(text).toString(16)}` : text),
  hexFromFelt,
);

const contract = section<GenesisContract>("contract with class", {
  class: required("class", classReference),
  nonce: optional("nonce", looseFelt, 0n),
  storage: optional("storage", mapField(hexNames, looseFelt), new Map<Felt, Felt>()),
});

const balance = section<GenesisBalance>("balance with address, token and amount", {
  address: required("address", addressField),
  token: required("token", choiceField("strk", "eth")),
  amount: required("amount", bigintField(0n, (1n << 256n) - 1n)),
});

const genesisSection = section<GenesisConfig>("genesis with classes, contracts and balances", {
  classes: optional("classes", listField(genesisClass), []),
  contracts: optional("contracts", mapField(hexNames, contract), new Map<Felt, GenesisContract>()),
  balances: optional("balances", listField(balance), []),
});

/** The `genesis` section; names that contracts refer to are checked. */
export const genesisField: Field<GenesisConfig> = {
  describe: genesisSection.describe,
  read(node, path, issues) {
    const genesis = genesisSection.read(node, path, issues);
    if (genesis === undefined) return undefined;
    const names = new Set<string>();
    for (const [i, { name }] of genesis.classes.entries()) {
      if (names.has(name)) {
        issues.add(`${path}.classes[${i}].name`, node.line, `the class ${name} stands twice`);
      }
      names.add(name);
    }
    for (const [address, { class: reference }] of genesis.contracts) {
      if (reference.kind === "name" && !names.has(reference.name)) {
        issues.add(
          `${path}.contracts.${hexFromFelt(address)}.class`,
          node.line,
          `expected one of the genesis classes (${[...names].join(", ") || "there are none"}), got "${reference.name}"`,
        );
      }
    }
    return genesis;
  },
  write: (value) => genesisSection.write(value),
};
