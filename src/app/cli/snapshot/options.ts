import { feltFromHex } from "#base/primitives/index.ts";
import { chainOptions } from "../chain-options.ts";
import { readInteger, switchOption, valueOption } from "../option.ts";
import type { PositionalLimits } from "../parse-arguments.ts";
import { replicationOptions } from "../replication-options.ts";

const group = "Snapshot";

const basePath = { ...chainOptions.basePath, group };

const objectStoreCredentialsFile = { ...replicationOptions.objectStoreCredentialsFile, group };

/** The options of `snapshot export`. */
export const snapshotExportOptions = {
  basePath: { ...basePath, defaultText: "the one folder in appchain-data" },
  at: valueOption(
    {
      flag: "at",
      value: "N",
      group,
      summary: "block that the state is of; those behind it go along as bundles",
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
      summary: "hash of the block that the snapshot has to be of",
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
      summary: "key that has to have signed the block of the snapshot",
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
      "take the snapshot's compiled code of classes where compiling them here gives another hash than the state has, as of older compilers; its hints are not verified",
  }),
  compilerMemory: { ...chainOptions.compilerMemory, group },
  compilerTimeout: { ...chainOptions.compilerTimeout, group },
  compilerNice: { ...chainOptions.compilerNice, group },
  objectStoreCredentialsFile,
  preset: { ...chainOptions.preset, group: "Chain" },
  chainConfigPath: chainOptions.chainConfigPath,
  chainConfigOverride: chainOptions.chainConfigOverride,
};

/** The word of `snapshot export`. */
export const EXPORT_WORDS: PositionalLimits = {
  words: [{ name: "TARGET", summary: "a directory, or s3://BUCKET/PREFIX?endpoint=URL" }],
  min: 1,
};

/** The word of `snapshot import`. */
export const IMPORT_WORDS: PositionalLimits = {
  words: [
    { name: "SOURCE", summary: "a directory, http(s)://..., or s3://BUCKET/PREFIX?endpoint=URL" },
  ],
  min: 1,
};
