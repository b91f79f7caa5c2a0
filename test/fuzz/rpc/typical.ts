import type { JsonObject } from "#test/helpers/json-schema.ts";
import { DECLARE, DEPLOY_ACCOUNT, INVOKE_V1 } from "#test/helpers/broadcasted.ts";
import type { Random } from "#test/helpers/random.ts";
import { edgeNumber } from "./edges.ts";
import type { ChainSamples } from "./samples.ts";
import { members, type Tree, treeOf } from "./tree.ts";

/** Context of a generated value. */
export interface Setting {
  readonly samples: ChainSamples;
  readonly random: Random;
  /** Specification version, as `0.10.2`. */
  readonly version: string;
}

type Maker = (setting: Setting) => Tree;

const FELT_EDGES = ["0x0", "0x1", "0x2", `0x${((1n << 251n) + 17n * (1n << 192n)).toString(16)}`];
const ETHEREUM_ADDRESS = "0x8453fc6cd1bcfe8d4dfc069c400b433054d47bdc";

/** Mostly one of the chain's own values, sometimes an unknown one. */
function mostly(list: (samples: ChainSamples) => readonly string[]): Maker {
  return ({ samples, random }) =>
    (random.below(10) === 0 ? undefined : random.pick(list(samples))) ??
    random.pick(FELT_EDGES) ??
    "0x0";
}

function listOf(maker: Maker, longest: number): Maker {
  return (setting) =>
    Array.from({ length: setting.random.below(longest + 1) }, () => maker(setting));
}

function flags(...names: readonly string[]): Maker {
  return ({ random }) => names.filter(() => random.below(2) === 0);
}

const contract = mostly((samples) => samples.contracts);
const classHash = mostly((samples) => samples.classHashes);
const transactionHash = mostly((samples) => samples.transactionHashes);
const selector = mostly((samples) => samples.selectors);
const eventKey = mostly((samples) => samples.eventKeys);
const felts = listOf(
  mostly((samples) => samples.contracts),
  4,
);

const blockId: Maker = ({ samples, random, version }) => {
  const building = /^0\.[78]\./.test(version) ? "pending" : "pre_confirmed";
  switch (random.below(6)) {
    case 0:
      return members({
        block_number: random.below(8) === 0 ? edgeNumber(random) : random.below(samples.latest + 2),
      });
    case 1:
      return members({ block_hash: random.pick(samples.blockHashes) ?? "0x0" });
    case 2:
      return building;
    case 3:
      return "l1_accepted";
    default:
      return "latest";
  }
};

const invokeV3: Maker = ({ samples, random }) => treeOf(random.pick(samples.invokes) ?? null);

const invoke: Maker = (setting) =>
  setting.random.below(12) === 0 ? treeOf(INVOKE_V1 as unknown as JsonObject) : invokeV3(setting);

/** The supported mode, so that later checks see the transaction as well. */
const AVAILABILITY = { fee_data_availability_mode: "L1" } as const;

const declare: Maker = ({ samples }) =>
  treeOf({
    ...(DECLARE as unknown as JsonObject),
    ...AVAILABILITY,
    sender_address: samples.contracts.at(-1) ?? "0x0",
  });

const deployAccount: Maker = ({ samples }) =>
  treeOf({
    ...(DEPLOY_ACCOUNT as unknown as JsonObject),
    ...AVAILABILITY,
    class_hash: samples.classHashes[0] ?? "0x0",
    nonce: "0x0",
  });

/**
 * Transfers of one account in the order of their nonces, from block {@link ChainSamples.latest} on.
 */
const transfersInOrder: Maker = ({ samples, random }) => {
  const { invokes, invokesOfAccount } = samples;
  const first = random.below(invokes.length / invokesOfAccount) * invokesOfAccount;
  return invokes.slice(first, first + 1 + random.below(3)).map(treeOf);
};

const anyTransaction: Maker = (setting) => {
  const { random, version } = setting;
  // Since 0.8 the files do not describe the older versions' fee, which is served nevertheless.
  const anyInvoke = version === "0.7.1" ? invoke : invokeV3;
  return (random.pick([anyInvoke, anyInvoke, declare, deployAccount]) ?? anyInvoke)(setting);
};

const anyTransactions: Maker = (setting) =>
  setting.random.below(2) === 0 ? transfersInOrder(setting) : listOf(anyTransaction, 4)(setting);

const call: Maker = (setting) => {
  const { samples, random } = setting;
  const isBalance = random.below(2) === 0;
  return members({
    contract_address: (isBalance ? samples.contracts[0] : undefined) ?? contract(setting),
    entry_point_selector: (isBalance ? samples.selectors[0] : undefined) ?? selector(setting),
    calldata: isBalance ? [random.pick(samples.contracts) ?? "0x0"] : felts(setting),
  });
};

const message: Maker = (setting) =>
  members({
    from_address: ETHEREUM_ADDRESS,
    to_address: contract(setting),
    entry_point_selector: selector(setting),
    payload: felts(setting),
  });

const eventFilter: Maker = (setting) => {
  const { samples, random } = setting;
  const parts: Record<string, Tree> = { chunk_size: 1 + random.below(20) };
  if (random.below(2) === 0) parts["from_block"] = blockId(setting);
  if (random.below(2) === 0) parts["to_block"] = blockId(setting);
  if (random.below(3) === 0) parts["address"] = contract(setting);
  if (random.below(2) === 0) parts["keys"] = listOf(listOf(eventKey, 3), 3)(setting);
  if (random.below(3) === 0) parts["continuation_token"] = samples.continuationToken;
  return members(parts);
};

const count: Maker = ({ random }) => random.below(30);

/** A position or length, sometimes out of range. */
const position: Maker = ({ random }) =>
  random.below(4) === 0 ? edgeNumber(random) : random.below(30);

/** Values of parameters and members by name; `request` is that of `call`. */
const BY_NAME: Readonly<Record<string, Maker>> = {
  block_id: blockId,
  from_block: blockId,
  to_block: blockId,
  starting_block_id: blockId,
  contract_address: contract,
  contract_addresses: listOf(contract, 5),
  sender_address: contract,
  from_address: contract,
  address: contract,
  l2_contract_address: contract,
  to_address: () => ETHEREUM_ADDRESS,
  l1_contract_address: () => ETHEREUM_ADDRESS,
  class_hash: classHash,
  transaction_hash: transactionHash,
  entry_point_selector: selector,
  key: mostly((samples) => samples.storageKeys),
  keys: listOf(listOf(eventKey, 3), 3),
  payload: felts,
  index: position,
  request: call,
  message,
  filter: eventFilter,
  continuation_token: ({ samples }) => samples.continuationToken,
  chunk_size: position,
  transactions: anyTransactions,
  invoke_transaction: invoke,
  declare_transaction: declare,
  deploy_account_transaction: deployAccount,
  simulation_flags: flags("SKIP_VALIDATE", "SKIP_FEE_CHARGE"),
  trace_flags: flags("RETURN_INITIAL_READS"),
  subscription_id: ({ random }) => String(random.below(5)),
  finality_status: () => "ACCEPTED_ON_L2",
  unit: flags("FRI"),
  amount: count,
  time: ({ random }) => 1_700_000_000 + random.below(10 ** 8),
  timestamp: count,
  generate_block: () => true,
  paid_fee_on_l1: () => "0x100",
  nonce: mostly(() => ["0x1", "0x2"]),
};

/** Methods whose transactions are executed on one block. */
const EXECUTED: readonly string[] = ["estimateFee", "simulateTransactions"];

/** A value for a parameter or member of this name; `undefined` for an unknown name. */
export function typicalValue(method: string, name: string, setting: Setting): Tree | undefined {
  if (name === "request" && method === "estimateFee") {
    return anyTransactions(setting);
  }
  if (name === "block_id" && EXECUTED.includes(method) && setting.random.below(2) === 0) {
    return members({ block_number: setting.samples.latest });
  }
  if (name === "simulation_flags" && method === "estimateFee") {
    return flags("SKIP_VALIDATE")(setting);
  }
  if (name === "simulation_flags" && setting.version.startsWith("0.10")) {
    return flags("SKIP_VALIDATE", "SKIP_FEE_CHARGE", "RETURN_INITIAL_READS")(setting);
  }
  if (name === "response_flags") {
    const known = method === "getStorageAt" ? "INCLUDE_LAST_UPDATE_BLOCK" : "INCLUDE_PROOF_FACTS";
    return flags(known)(setting);
  }
  return Object.hasOwn(BY_NAME, name) ? BY_NAME[name]?.(setting) : undefined;
}
