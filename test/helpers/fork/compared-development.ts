import { hash } from "starknet";
import { L1_CONTRACT } from "../message-chain.ts";
import { STRK } from "../tokens.ts";
import type { ComparedChains } from "./compared-chains.ts";
import { type ComparedAccount, compareNewest } from "./compared-transactions.ts";

/** What development methods are called with. */
export interface DevelopmentInput {
  readonly forkBlock: number;
  /** Contract of the origin with a handler of messages from L1. */
  readonly contract: string;
  readonly account: ComparedAccount;
  /** Addresses of accounts of the origin: the one that has sent transactions, and another. */
  readonly sender: string;
  readonly other: string;
}

/** Compares the development methods that both programs have; restarts both chains at the end. */
export async function compareDevelopment(
  chains: ComparedChains,
  input: DevelopmentInput,
): Promise<void> {
  const { forkBlock, sender, other } = input;
  chains.topic = "development";
  const ask = (method: string, params: unknown = {}) => chains.ask(`devnet_${method}`, params);
  const fork = { block_number: forkBlock };
  for (const with_balance of [false, true]) await ask("getPredeployedAccounts", { with_balance });
  for (const address of [sender, other, "0x777"]) await ask("getAccountBalance", { address });
  await ask("getAccountBalance", { address: other, unit: "WEI" });
  await ask("getConfig");
  for (const account_address of [other, "0x5afe"]) {
    await ask("impersonateAccount", { account_address });
    await ask("stopImpersonateAccount", { account_address });
  }
  await ask("autoImpersonate");
  await ask("stopAutoImpersonate");
  await compareMessages(chains, input);
  chains.topic = "development";
  await ask("setGasPrice", { gas_price_wei: 7, gas_price_fri: 8, generate_block: false });
  await input.account.setTime();
  await ask("createBlock");
  await ask("increaseTime", { time: 5 });
  await chains.ask("starknet_getBlockWithTxHashes", { block_id: "latest" });
  const [{ result: newest }] = await chains.ask("starknet_blockNumber");
  chains.topic = "origin's block";
  await ask("abortBlocks", { starting_block_id: fork });
  chains.topic = "development";
  await ask("abortBlocks", { starting_block_id: { block_number: newest } });
  await chains.ask("starknet_blockNumber");
  await ask("acceptOnL1", { starting_block_id: { block_number: forkBlock + 1 } });
  for (const block_id of ["l1_accepted", fork]) {
    await chains.ask("starknet_getBlockWithTxHashes", { block_id });
  }
  chains.topic = "mint";
  await ask("mint", { address: "0x777", amount: 9 });
  chains.topic = "state diff";
  const storage_entries = [{ key: "0x77", value: "0x5" }];
  await ask("applyStateDiff", {
    state_diff: { storage_diffs: [{ address: STRK, storage_entries }] },
  });
  for (const block_id of ["pre_confirmed", "latest"]) {
    await chains.ask("starknet_getStorageAt", { contract_address: STRK, key: "0x77", block_id });
  }
  chains.topic = "restart";
  await ask("restart");
  await chains.ask("starknet_blockNumber");
  for (const block_number of [forkBlock, forkBlock + 1]) {
    await chains.ask("starknet_getBlockWithTxHashes", { block_id: { block_number } });
  }
}

async function compareMessages(
  chains: ComparedChains,
  { contract, account }: DevelopmentInput,
): Promise<void> {
  chains.topic = "transaction";
  const entry_point_selector = hash.getSelectorFromName("l1_handler_set_value");
  const payload = ["0x100", "0x7"];
  await account.setTime();
  const [{ result }] = await chains.ask("devnet_postmanSendMessageToL2", {
    ...{ l2_contract_address: contract, entry_point_selector, payload },
    ...{ l1_contract_address: L1_CONTRACT, paid_fee_on_l1: "0x3e8", nonce: "0x777" },
  });
  await compareNewest(chains, (result as { readonly transaction_hash: string }).transaction_hash);
  chains.topic = "simulation";
  const message = {
    from_address: L1_CONTRACT,
    to_address: contract,
    entry_point_selector,
    payload,
  };
  await chains.ask("starknet_estimateMessageFee", { message, block_id: "latest" });
  chains.topic = "development";
  await chains.ask("devnet_postmanFlush", { dry_run: true });
  const calldata = [L1_CONTRACT, "1", "0x5"];
  await account.execute({
    contractAddress: contract,
    entrypoint: "test_send_message_to_l1",
    calldata,
  });
  chains.topic = "development";
  await chains.ask("devnet_postmanFlush", { dry_run: true });
}
