import { hexFromFelt } from "#base/primitives/index.ts";
import type { JsonObject, JsonValue } from "#base/codec/index.ts";
import type { ListedTransaction, MempoolListing } from "#services/admission/index.ts";
import { required } from "../../method.ts";
import { MAX_TIMESTAMP, timestamp } from "../codecs.ts";
import { balanceIn, devnetMethod, genesisState, newestTimestamp } from "../devnet-context.ts";
import { requireFrom } from "../require-from.ts";

const NOTHING = (): JsonValue => null;

/** Maximum number of transactions in a response of txpool_content. */
const MAX_LISTED = 1_000;

/**
 * JSON-RPC method `txpool_content`: the 1000 oldest waiting transactions, by sender and nonce:
 * executable ones, and those that wait for a nonce. Source: dojoengine/katana,
 * crates/rpc/rpc-types/src/txpool.rs.
 */
export const txpoolContent = devnetMethod({
  name: "txpool_content",
  family: "read",
  runsOn: "main",
  summary:
    "The 1000 oldest waiting transactions, by sender and nonce: executable ones, and those that wait for a nonce.",
  params: () => ({}),
  result: () => encodeContent,
  errors: [],
  handler: (context) => context.waiting(MAX_LISTED),
});

function encodeContent({ transactions }: MempoolListing): JsonObject {
  return {
    pending: bySender(transactions.filter(({ isReady }) => isReady)),
    queued: bySender(transactions.filter(({ isReady }) => !isReady)),
  };
}

function bySender(transactions: readonly ListedTransaction[]): JsonObject {
  const senders = Map.groupBy(transactions, ({ sender }) => hexFromFelt(sender));
  return Object.fromEntries(
    [...senders].map(([sender, own]) => [
      sender,
      Object.fromEntries(own.map((one) => [hexFromFelt(one.nonce), encodeListed(one)])),
    ]),
  );
}

function encodeListed({ hash, nonce, sender, maxFee, tip }: ListedTransaction): JsonObject {
  return {
    hash: hexFromFelt(hash),
    nonce: hexFromFelt(nonce),
    sender: hexFromFelt(sender),
    max_fee: maxFee,
    tip,
  };
}

/** JSON-RPC method `dev_generateBlock`: Katana's name for devnet_createBlock; returns null. */
export const generateBlock = devnetMethod({
  name: "dev_generateBlock",
  family: "write",
  runsOn: "main",
  summary: "Katana's name for devnet_createBlock; returns null.",
  params: () => ({}),
  result: () => NOTHING,
  errors: [],
  handler: (context) => context.devnet.createBlock(false),
});

/** JSON-RPC method `dev_nextBlockTimestamp`: timestamp of a block if it were opened now. */
export const nextBlockTimestamp = devnetMethod({
  name: "dev_nextBlockTimestamp",
  family: "read",
  runsOn: "main",
  summary: "Timestamp of a block if it were opened now.",
  params: () => ({}),
  result: () => (seconds: number) => seconds,
  errors: [],
  handler: (context) => Math.max(context.devnet.timestamp(), newestTimestamp(context)),
});

/**
 * JSON-RPC method `dev_setNextBlockTimestamp`: sets the timestamp of the next block; time continues
 * from there.
 */
export const setNextBlockTimestamp = devnetMethod({
  name: "dev_setNextBlockTimestamp",
  family: "write",
  runsOn: "main",
  summary: "Sets the timestamp of the next block; time continues from there.",
  params: () => ({ timestamp: required(timestamp) }),
  result: () => NOTHING,
  errors: [],
  handler(context, { timestamp: seconds }) {
    requireFrom("timestamp", seconds, newestTimestamp(context), MAX_TIMESTAMP);
    return context.devnet.setTime(seconds);
  },
});

/** JSON-RPC method `dev_increaseNextBlockTimestamp`: advances the time of blocks by seconds. */
export const increaseNextBlockTimestamp = devnetMethod({
  name: "dev_increaseNextBlockTimestamp",
  family: "write",
  runsOn: "main",
  summary: "Advances the time of blocks by seconds.",
  params: () => ({ timestamp: required(timestamp) }),
  result: () => NOTHING,
  errors: [],
  handler(context, { timestamp: seconds }) {
    const { devnet } = context;
    const now = Math.max(devnet.timestamp(), newestTimestamp(context));
    requireFrom("timestamp", seconds, 0, MAX_TIMESTAMP - now);
    return devnet.increaseTime(seconds);
  },
});

/**
 * JSON-RPC method `dev_predeployedAccounts`: the funded accounts of the genesis block, as Katana
 * shows them.
 */
export const predeployedAccounts = devnetMethod({
  name: "dev_predeployedAccounts",
  family: "read",
  runsOn: "main",
  summary: "The funded accounts of the genesis block, as Katana shows them.",
  params: () => ({}),
  result: () => (accounts: JsonValue[]) => accounts,
  errors: [],
  handler(context) {
    const { devnet } = context;
    const genesis = genesisState(context);
    return devnet.accounts().map(({ address, publicKey, privateKey }) => ({
      address: hexFromFelt(address),
      publicKey: hexFromFelt(publicKey),
      privateKey: hexFromFelt(privateKey),
      balance: hexFromFelt(balanceIn(devnet, genesis, address, "FRI")),
    }));
  },
});
