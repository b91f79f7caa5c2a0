import type { JsonObject } from "#base/codec/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { GasPrices } from "#protocol/chain/index.ts";
import { CLASS_SIZE_LIMITS, MAX_BYTECODE_FELTS } from "#services/admission/index.ts";
import type { ForkSetup } from "../setup/fork.ts";
import type { NodeOptions } from "../setup/node-options.ts";

/** Facts for the response of `devnet_getConfig` that come from the chain rather than from the options. */
export interface DevnetMetadata {
  readonly accountCount: number;
  readonly accountClass: Felt | null;
  /** Initial balance of an account of block 0, in fri; 0 without accounts. */
  readonly initialBalance: bigint;
  /** Classes of the fee tokens; `null` on a fork that has not read them, and whose origin is lost. */
  readonly ethClass: Felt | null;
  readonly strkClass: Felt | null;
}

/** Time limit of a request, in seconds. */
const TIMEOUT_SECONDS = 120;

/**
 * Returns the settings in the format of starknet-devnet's configuration. Settings that this program lacks are
 * reported with their actual behaviour, such as a full state archive. The URL of a fork's origin has only scheme,
 * host and port: the rest may be a secret.
 */
export function devnetConfig(
  { chain, devAccounts, devnet, rpc }: NodeOptions,
  fork: Pick<ForkSetup, "origins" | "forkBlock" | "blockHash"> | null,
  metadata: DevnetMetadata,
  { l1Gas, l1DataGas, l2Gas }: GasPrices,
): JsonObject {
  return {
    seed: devAccounts?.seed.number ?? 0n,
    total_accounts: metadata.accountCount,
    account_contract_class_hash: hexFromFelt(metadata.accountClass ?? 0n),
    predeployed_accounts_initial_balance: String(metadata.initialBalance),
    start_time: devnet?.startTime ?? null,
    gas_price_wei: l1Gas.wei,
    gas_price_fri: l1Gas.fri,
    data_gas_price_wei: l1DataGas.wei,
    data_gas_price_fri: l1DataGas.fri,
    l2_gas_price_wei: l2Gas.wei,
    l2_gas_price_fri: l2Gas.fri,
    chain_id: chain.chainId,
    dump_on: devnet?.dump?.on ?? null,
    dump_path: devnet?.dump?.path ?? null,
    state_archive: "full",
    fork_config: forkConfig(fork),
    server_config: {
      host: rpc.host,
      port: rpc.port,
      timeout: TIMEOUT_SECONDS,
      restricted_methods: devnet?.restrictedMethods ?? null,
    },
    block_generation_on: blockGeneration(devnet?.blocks ?? "configured", chain),
    lite_mode: false,
    // Nothing is proven here, and proofs of transactions are not verified.
    proof_mode: "none",
    eth_erc20_class_hash: hexOrNull(metadata.ethClass),
    strk_erc20_class_hash: hexOrNull(metadata.strkClass),
    class_size_config: {
      maximum_contract_class_size: CLASS_SIZE_LIMITS.maxObjectBytes,
      maximum_contract_bytecode_size: MAX_BYTECODE_FELTS,
      maximum_sierra_length: CLASS_SIZE_LIMITS.maxProgramFelts,
    },
  };
}

/** starknet-devnet has no hash in its configuration. */
function forkConfig(
  fork: Pick<ForkSetup, "origins" | "forkBlock" | "blockHash"> | null,
): JsonObject {
  if (fork === null) return { url: null, block_number: null };
  const [origin] = fork.origins;
  return {
    url: origin === undefined ? null : `${origin}/`,
    block_number: fork.forkBlock,
    block_hash: hexFromFelt(fork.blockHash),
  };
}

/** Returns `transaction`, `demand`, or the block time in seconds. */
function blockGeneration(
  blocks: "configured" | "demand",
  { blocksOnDemand, blockTimeMs }: NodeOptions["chain"],
): string | number {
  if (blocks === "demand") return "demand";
  return blocksOnDemand ? "transaction" : blockTimeMs / 1000;
}

function hexOrNull(felt: Felt | null): string | null {
  return felt === null ? null : hexFromFelt(felt);
}
