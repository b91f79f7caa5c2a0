import { closeSync, existsSync, openSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { JsonObject } from "#base/codec/index.ts";
import { ConfigError } from "#base/errors/index.ts";
import { feltFromShortString, hexFromFelt } from "#base/primitives/index.ts";
import { replaceFile, tryReplacing } from "#io/storage/index.ts";
import type { DevAccount } from "#services/sequencer/index.ts";
import { ownFileAt, placeOf } from "../folder/own-files.ts";
import type { ReportedFork } from "../../setup/fork.ts";
import type { NodeFiles } from "../../setup/node-files.ts";
import type { NodeOptions } from "../../setup/node-options.ts";
import type { ChainContracts } from "./dev-report.ts";

/** The file contains private keys. */
const MODE = 0o600;

/**
 * Checks that the file of {@link writeConfigOut} can be written, and leaves nothing behind.
 *
 * @param files - the data folder, created later; a file in it is not checked while the folder does not exist
 * @throws {ConfigError} when it cannot be written, or is one of the node's own files
 */
export function checkConfigOut(
  file: string,
  { folder: dataFolder, signingKey }: Pick<NodeFiles, "folder" | "signingKey">,
): void {
  let own: string | undefined;
  try {
    own = ownFileAt(file, dataFolder, [signingKey.path]);
  } catch (cause) {
    throw cannotWrite(file, cause);
  }
  if (own !== undefined) {
    throw new ConfigError(
      `--config-out ${file}: ${own} is the node's own file and would be overwritten; name another file`,
    );
  }
  const folder = dirname(file);
  if (folder === dataFolder && !existsSync(folder)) return;
  try {
    if (existsSync(file)) closeSync(openSync(file, "a"));
    else tryReplacing(placeOf(file));
  } catch (cause) {
    throw cannotWrite(file, cause);
  }
}

function cannotWrite(file: string, cause?: unknown): ConfigError {
  return new ConfigError(`--config-out ${file}: the file cannot be written`, [], { cause });
}

/** URLs at which the chain is served. */
export interface ReportedUrls {
  readonly rpcUrl: string;
  readonly metricsUrl: string | null;
}

/** Facts of a started chain that `--config-out` writes to its file. */
export interface ReportedChain {
  readonly urls: ReportedUrls;
  readonly contracts: ChainContracts;
  readonly accounts: readonly DevAccount[];
  readonly fork: ReportedFork | null;
}

/**
 * Writes accounts, chain id, classes and addresses as JSON, for scripts.
 *
 * @throws {ConfigError} when the file cannot be written
 */
export function writeConfigOut(
  file: string,
  { chain }: NodeOptions,
  { urls, contracts, accounts, fork }: ReportedChain,
): void {
  const document = {
    chain_id: chain.chainId,
    chain_id_hex: hexFromFelt(feltFromShortString(chain.chainId)),
    chain_name: chain.chainName,
    rpc_url: urls.rpcUrl,
    metrics_url: urls.metricsUrl,
    strk_address: hexFromFelt(chain.nativeFeeTokenAddress),
    eth_address: hexFromFelt(chain.parentFeeTokenAddress),
    account_class_hash:
      contracts.accountClass === null ? null : hexFromFelt(contracts.accountClass),
    universal_deployer_addresses: contracts.universalDeployers.map((address) =>
      hexFromFelt(address),
    ),
    accounts: accounts.map((account) => ({
      address: hexFromFelt(account.address),
      private_key: hexFromFelt(account.privateKey),
      public_key: hexFromFelt(account.publicKey),
    })),
    ...(fork === null ? {} : { fork: forkJson(fork) }),
  };
  try {
    const text = `${JSON.stringify(document, null, 2)}\n`;
    // An existing file may be a device, or in a folder that is not writable.
    if (existsSync(file)) writeFileSync(file, text);
    else replaceFile(placeOf(file), text, MODE);
  } catch (cause) {
    throw cannotWrite(file, cause);
  }
}

/** Without paths and queries of the URLs, which may contain secrets. */
function forkJson({ origins, forkBlock, blockHash, originChainId }: ReportedFork): JsonObject {
  return {
    urls: [...origins],
    block_number: forkBlock,
    block_hash: hexFromFelt(blockHash),
    chain_id: originChainId,
  };
}
