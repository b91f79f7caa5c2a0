import { compareFelts, type Felt } from "#base/primitives/index.ts";
import type { IndexedBlock, TouchedRow, TransferRow } from "#io/storage/index.ts";
import {
  accountCalls,
  type BlockBody,
  type BlockHeader,
  type Receipt,
  senderAddressOf,
  type StateDiff,
  type Transaction,
} from "#protocol/chain/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { tokenTransferOf } from "./transfer-event.ts";

/** Bound of an integer in the database; no block of any capacity comes near it. */
const MAX_INTEGER = (1n << 63n) - 1n;

/** Event of the universal deployer, which names the new contract; the contract itself may emit nothing. */
const CONTRACT_DEPLOYED = selectorFromName("ContractDeployed");

/** Parts of a stored block that the index is made of. */
export interface ExplorerBlock extends BlockBody {
  readonly header: Pick<BlockHeader, "number" | "hash" | "timestamp">;
}

/** Computes what a block adds to the explorer's index. The rows have the same order in every computation. */
export function explorerRows({
  header: { number, hash, timestamp },
  transactions,
  receipts,
  stateDiff,
}: ExplorerBlock): IndexedBlock {
  const l2Gas = receipts.reduce((sum, { gas }) => sum + gas.l2Gas, 0n);
  return {
    number,
    hash,
    timestamp,
    transactionCount: transactions.length,
    l2Gas: l2Gas < MAX_INTEGER ? l2Gas : MAX_INTEGER,
    sent: transactions.flatMap(({ transaction }, index) => {
      const sender = senderOf(transaction);
      return sender === null ? [] : [{ sender, index }];
    }),
    touched: transactions.flatMap(({ transaction }, index) =>
      touchedBy(transaction, receipts[index], stateDiff, index),
    ),
    transfers: receipts.flatMap((receipt, index) => transfersOf(receipt, index)),
    contracts: contractsOf(stateDiff),
    declared: declaredOf({ transactions, receipts, stateDiff }),
  };
}

/** Address of the account that sent a transaction; `null` for messages from L1 and early deployments. */
export function senderOf(transaction: Transaction): Felt | null {
  return transaction.type === "L1_HANDLER" || transaction.type === "DEPLOY"
    ? null
    : senderAddressOf(transaction);
}

/** Contracts that a transaction touches, except its sender. */
function touchedBy(
  transaction: Transaction,
  receipt: Receipt | undefined,
  { deployedContracts }: StateDiff,
  index: number,
): readonly TouchedRow[] {
  const touched = new Set<Felt>(calledBy(transaction));
  for (const { fromAddress, keys, data } of receipt?.events ?? []) {
    touched.add(fromAddress);
    if (keys[0] !== CONTRACT_DEPLOYED) continue;
    for (const felt of [...keys, ...data]) if (deployedContracts.has(felt)) touched.add(felt);
  }
  const sender = senderOf(transaction);
  if (sender !== null) touched.delete(sender);
  return [...touched].map((contract) => ({ contract, index }));
}

/** Contracts that a transaction itself names. */
function calledBy(transaction: Transaction): readonly Felt[] {
  switch (transaction.type) {
    case "L1_HANDLER":
    case "DEPLOY":
    case "DEPLOY_ACCOUNT":
      return [transaction.contractAddress];
    case "DECLARE":
      return [];
    case "INVOKE":
      return transaction.version === 0
        ? []
        : (accountCalls(transaction.calldata) ?? []).map(({ to }) => to);
  }
}

/** Mints and burns have one holder: address 0 holds nothing. */
function transfersOf({ events }: Receipt, index: number): readonly TransferRow[] {
  return events.flatMap((each, event) => {
    const transfer = tokenTransferOf(each);
    if (transfer === undefined) return [];
    const { token, from, to } = transfer;
    const holders = [...new Set([from, to])].filter((holder) => holder !== 0n);
    return holders.map((holder) => ({ holder, token, index, event }));
  });
}

function contractsOf({ deployedContracts, replacedClasses }: StateDiff): IndexedBlock["contracts"] {
  const rows = (changes: ReadonlyMap<Felt, Felt>, how: "deployed" | "replaced") =>
    sorted(changes).map(([contract, classHash]) => ({ contract, classHash, how }));
  const deployed = rows(deployedContracts, "deployed");
  const replaced = rows(replacedClasses, "replaced");
  return [...deployed, ...replaced.filter(({ contract }) => !deployedContracts.has(contract))];
}

/** A class is declared once, by the first transaction that succeeds with it. */
function declaredOf({ transactions, receipts, stateDiff }: BlockBody): IndexedBlock["declared"] {
  const declaring = new Map<Felt, number>();
  for (const [index, { transaction }] of transactions.entries()) {
    if (transaction.type !== "DECLARE" || declaring.has(transaction.classHash)) continue;
    if (receipts[index]?.status.kind === "succeeded") declaring.set(transaction.classHash, index);
  }
  const { declaredClasses, deprecatedDeclaredClasses } = stateDiff;
  const classes = new Set([...declaredClasses.keys(), ...deprecatedDeclaredClasses]);
  return [...classes]
    .sort(compareFelts)
    .map((classHash) => ({ classHash, index: declaring.get(classHash) ?? null }));
}

function sorted(changes: ReadonlyMap<Felt, Felt>): [Felt, Felt][] {
  return [...changes].sort(([left], [right]) => compareFelts(left, right));
}
