import { feltFromHex } from "#base/primitives/index.ts";
import {
  compilerOptions,
  configOptions,
  folderOptions,
  storeOptions,
  readInteger,
  switchOption,
  valueOption,
} from "#app/options/index.ts";
import type { PositionalLimits } from "../parse-arguments.ts";

const group = "Snapshot";

const basePath = { ...folderOptions.basePath, group };

const objectStoreCredentialsFile = { ...storeOptions.objectStoreCredentialsFile, group };

/** The options of `snapshot export`. */
export const snapshotExportOptions = {
  basePath: { ...basePath, defaultText: "the one folder in appchain-data" },
  at: valueOption(
    {
      flag: "at",
      value: "N",
      group,
      summary: "block of the exported state; later blocks are added as bundles",
      defaultText: "the newest one",
    },
    "number of a block",
    readInteger(0, Number.MAX_SAFE_INTEGER),
    null,
  ),
  objectStoreCredentialsFile,
};

/** The options of `snapshot import`. */
export const snapshotImportOptions = {
  basePath,
  blockHash: valueOption(
    {
      flag: "block-hash",
      value: "HEX",
      group,
      summary: "hash that the block of the snapshot must have",
    },
    "block hash as 0x hex text",
    feltFromHex,
    null,
  ),
  publicKey: valueOption(
    {
      flag: "public-key",
      value: "HEX",
      group,
      summary: "key that must have signed the block of the snapshot",
      defaultText: "sequencer_public_key of the configuration, if one is given",
    },
    "public key as 0x hex text",
    feltFromHex,
    null,
  ),
  trustCasm: switchOption({
    flag: "trust-casm",
    group,
    summary:
      "use the snapshot's compiled code of classes where compiling them here yields a different hash than the state has, for example with older compilers; its hints are not verified",
  }),
  ...compilerOptions,
  objectStoreCredentialsFile,
  preset: configOptions.preset,
  chainConfigPath: configOptions.chainConfigPath,
  chainConfigOverride: configOptions.chainConfigOverride,
};

/** Positional argument of `snapshot export`. */
export const EXPORT_WORDS: PositionalLimits = {
  words: [{ name: "TARGET", summary: "a directory, or s3://BUCKET/PREFIX?endpoint=URL" }],
  min: 1,
};

/** Positional argument of `snapshot import`. */
export const IMPORT_WORDS: PositionalLimits = {
  words: [
    { name: "SOURCE", summary: "a directory, http(s)://..., or s3://BUCKET/PREFIX?endpoint=URL" },
  ],
  min: 1,
};
