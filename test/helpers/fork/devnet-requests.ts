import { STRK } from "../tokens.ts";

/** Request of a developer method, and what answers it while a fork's origin is lost. */
export interface DevnetRequest {
  readonly method: string;
  readonly params: unknown;
  /** `here`: the node alone; `refused`: the node, with an error; `origin`: nothing, since a value is missing. */
  readonly answeredBy: "here" | "refused" | "origin";
}

const L1_CONTRACT = `0x${"1".padStart(40, "0")}`;
/** An address that nothing has read. */
const UNREAD = "0xf0f1";
const UNKNOWN_HASH = { block_hash: "0x123" };

const here = (method: string, params: unknown = {}): DevnetRequest => ({
  method,
  params,
  answeredBy: "here",
});
const refused = (method: string, params: unknown): DevnetRequest => ({
  ...here(method, params),
  answeredBy: "refused",
});
const needsOrigin = (method: string, params: unknown): DevnetRequest => ({
  ...here(method, params),
  answeredBy: "origin",
});

/** Every developer method: those that change the chain without the origin come last. */
export const LOST_ORIGIN_REQUESTS: readonly DevnetRequest[] = [
  needsOrigin("devnet_getAccountBalance", { address: UNREAD }),
  needsOrigin("devnet_mint", { address: UNREAD, amount: 1 }),
  needsOrigin("devnet_postmanSendMessageToL2", {
    l2_contract_address: UNREAD,
    entry_point_selector: "0x1",
    l1_contract_address: L1_CONTRACT,
    payload: [],
    paid_fee_on_l1: "0x1",
    nonce: "0x6",
  }),
  needsOrigin("devnet_acceptOnL1", { starting_block_id: UNKNOWN_HASH }),
  needsOrigin("devnet_abortBlocks", { starting_block_id: UNKNOWN_HASH }),
  needsOrigin("devnet_applyStateDiff", {
    state_diff: { nonces: [{ contract_address: UNREAD, nonce: "0x1" }] },
  }),
  needsOrigin("devnet_applyStateDiff", {
    state_diff: { deprecated_declared_classes: [UNREAD] },
  }),
  needsOrigin("devnet_setErc20Balance", { token: STRK, account: UNREAD, amount: 5 }),
  needsOrigin("devnet_setErc20Balance", { token: UNREAD, account: UNREAD, amount: 5 }),
  needsOrigin("dev_setStorageAt", [UNREAD, "0x1", "0x2"]),
  needsOrigin("devnet_restart", { fork_block: 2 }),
  refused("devnet_load", {
    dump: [{ method: "devnet_mint", params: { address: UNREAD, amount: 1 }, id: 1 }],
  }),
  refused("devnet_postmanLoad", { network_url: "http://127.0.0.1:9" }),
  refused("devnet_postmanConsumeMessageFromL2", {
    from_address: UNREAD,
    to_address: L1_CONTRACT,
    payload: [],
  }),
  here("devnet_getPredeployedAccounts", { with_balance: true }),
  here("dev_predeployedAccounts"),
  here("devnet_getConfig"),
  here("dev_nextBlockTimestamp"),
  here("devnet_postmanFlush", { dry_run: true }),
  here("devnet_impersonateAccount", [UNREAD]),
  here("devnet_stopImpersonateAccount", [UNREAD]),
  here("devnet_autoImpersonate"),
  here("devnet_stopAutoImpersonate"),
  here("txpool_content"),
  here("devnet_dump"),
  here("devnet_setTime", { time: 4_000_000_000, generate_block: true }),
  here("devnet_increaseTime", { time: 10 }),
  here("dev_setNextBlockTimestamp", [4_000_001_000]),
  here("dev_increaseNextBlockTimestamp", [5]),
  here("devnet_setGasPrice", { gas_price_wei: 5, generate_block: true }),
  here("devnet_createBlock"),
  here("dev_generateBlock"),
  here("devnet_restart"),
];

/** Parameters that name files of this machine: tests give them no values, since a method may write there. */
export const FILE_PARAMETERS: ReadonlySet<string> = new Set(["path"]);

/** Values that a parameter of no developer method means, or few. */
export const HOSTILE_VALUES: readonly unknown[] = [
  ...[-1, 0.5, 2 ** 53, 1e300, true, [], {}, [[[]]], "", "0x", "0xzz", "\0"],
  ...[`0x${"f".repeat(64)}`, `0x${"0".repeat(5_000)}1`, { block_number: -1 }, { __proto__: null }],
  ...[[{ method: "devnet_restart" }], "9".repeat(400), Array.from({ length: 500 }, () => "0x1")],
];
