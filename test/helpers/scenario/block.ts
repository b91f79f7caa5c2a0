import { readFileSync } from "node:fs";
import { parseJson } from "#base/codec/index.ts";
import { BUILT_IN_CONSTANTS, readPublicConstants } from "#protocol/versions/index.ts";
import {
  type BlockContext,
  type BouncerCapacity,
  type BouncerWeights,
  type ProvingPrimitive,
} from "#engine/execution/index.ts";
import { type Felt, feltFromHex, feltFromShortString } from "#base/primitives/index.ts";
import { type Scenario } from "./input.ts";

const MAINNET_STRK = 0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938dn;
const MAINNET_ETH = 0x49d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7n;

/** The environment of a scenario's block. */
export function blockContext(scenario: Scenario, base: string, version: string): BlockContext {
  const { block } = scenario;
  const prices = block.gas_prices;
  const constants =
    block.versioned_constants === undefined
      ? BUILT_IN_CONSTANTS.at(version)
      : customConstants(`${base}/${block.versioned_constants}`, version);
  return {
    info: {
      number: Number(block.number),
      timestamp: Number(block.timestamp),
      sequencerAddress: block.sequencer_address ?? 1n,
      gasPrices: {
        l1Gas: prices.l1_gas,
        l1DataGas: prices.l1_data_gas,
        l2Gas: prices.l2_gas,
      },
      l1DaMode: (block.use_kzg_da ?? true) ? "BLOB" : "CALLDATA",
      protocolVersion: version,
    },
    chainId: chainIdOf(scenario.chain_id ?? "SN_MAIN"),
    feeTokens: {
      strk: block.fee_tokens?.strk ?? MAINNET_STRK,
      eth: block.fee_tokens?.eth ?? MAINNET_ETH,
    },
    constants,
    bouncer: capacityOf(block.bouncer),
  };
}

function customConstants(path: string, version: string): BlockContext["constants"] {
  const data = readPublicConstants(parseJson(readFileSync(path, "utf8")), path);
  return BUILT_IN_CONSTANTS.with(new Map([[version, data]])).at(version);
}

function chainIdOf(text: string): Felt {
  return text.startsWith("0x") ? (feltFromHex(text) ?? 0n) : feltFromShortString(text);
}

const CAPACITY_NAMES = {
  l1_gas: "l1Gas",
  message_segment_length: "messageSegmentLength",
  n_events: "eventCount",
  n_txs: "transactionCount",
  state_diff_size: "stateDiffSize",
  sierra_gas: "sierraGas",
  proving_gas: "provingGas",
  receipt_l2_gas: "receiptL2Gas",
} as const satisfies Record<string, keyof BouncerWeights>;

function capacityOf(bouncer: Scenario["block"]["bouncer"]): BouncerCapacity {
  const capacity = bouncer?.block_max_capacity;
  if (capacity === undefined) return { limits: {} };
  const limits: Partial<Record<keyof BouncerWeights, bigint>> = {};
  for (const [name, dimension] of Object.entries(CAPACITY_NAMES)) {
    const limit = capacity[name as keyof typeof CAPACITY_NAMES];
    if (limit !== undefined) limits[dimension] = limit;
  }
  const instanceLimits: Partial<Record<ProvingPrimitive, bigint>> = {};
  for (const [name, limit] of bouncer?.builtin_instance_limits ?? []) {
    instanceLimits[(name === "ecop" ? "ec_op" : name) as ProvingPrimitive] = limit;
  }
  return { limits, instanceLimits };
}
