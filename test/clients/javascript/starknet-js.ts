/**
 * Runs starknet.js against a chain: on a development chain it never waits for a transaction and
 * reads right after each response; at a full node it reads once it has the receipt.
 *
 * Environment: CLIENT_URL, CLIENT_ADDRESS, CLIENT_PRIVATE_KEY, CLIENT_TOKEN, CLIENT_AWAITS,
 * CLIENT_ROUNDS (default 15). Prints a line for each step; exits with 1 at the first that fails.
 */
import { Account, logger, RpcProvider } from "starknet";
import { checks, clientEnvironment } from "./check.ts";

const AMOUNT = 5n;
/** Default batch limit of a node. */
const BATCH = 1_024;
const RECIPIENTS = ["0x1234567892", "0x1234567893"] as const;

// The client warns about blocks with too few tips for an estimate.
logger.setLogLevel("ERROR");
const check = checks("starknet.js");
const { url, address, privateKey, token, awaits, rounds } = clientEnvironment();
const provider = new RpcProvider({ nodeUrl: url });
const account = new Account({ provider, address, signer: privateKey });

const transferTo = (recipient: string) => ({
  contractAddress: token,
  entrypoint: "transfer",
  calldata: [recipient, String(AMOUNT), "0"],
});

async function balanceOf(holder: string): Promise<bigint> {
  const call = { contractAddress: token, entrypoint: "balance_of", calldata: [holder] };
  const [low = "0", high = "0"] = await provider.callContract(call, "latest");
  return BigInt(low) + (BigInt(high) << 128n);
}

/** Waits until a transaction is accepted, unless it is already. */
async function settled(hash: string): Promise<void> {
  if (!awaits) return;
  const successStates = ["ACCEPTED_ON_L2" as const];
  await provider.waitForTransaction(hash, { retryInterval: 20, successStates });
}

const [first, second] = RECIPIENTS;
const before = [await balanceOf(first), await balanceOf(second)] as const;
const firstNonce = BigInt(await provider.getNonceForAddress(address, "latest"));

let stale = 0;
for (let sent = 1n; sent <= rounds; sent++) {
  const { transaction_hash: hash } = await account.execute(transferTo(first));
  await settled(hash);
  const receipt = await provider.getTransactionReceipt(hash);
  const nonce = BigInt(await provider.getNonceForAddress(address, "latest"));
  const trace = await provider.getTransactionTrace(hash);
  const isThere =
    receipt.isSuccess() &&
    receipt.value.finality_status === "ACCEPTED_ON_L2" &&
    nonce === firstNonce + sent &&
    trace.type === "INVOKE" &&
    (await balanceOf(first)) === before[0] + sent * AMOUNT;
  if (!isThere) stale++;
}
check(`executed ${rounds} times`, true);
check(`read receipt, nonce, trace and balance right after each answer`, stale === 0);

const nonce = BigInt(await account.getNonce());
const sent = await Promise.all(
  Array.from({ length: rounds }, (_, i) =>
    account.execute(transferTo(second), { nonce: nonce + BigInt(i) }),
  ),
);
check(
  `executed ${rounds} at once`,
  new Set(sent.map((one) => one.transaction_hash)).size === rounds,
);
for (const { transaction_hash: hash } of sent) await settled(hash);
const both = before[1] + BigInt(rounds) * AMOUNT;
check("the recipient has them", (await balanceOf(second)) === both);

// The next nonce is available as soon as the transaction is pre-confirmed.
let early = 0;
for (let i = 0; i < rounds; i++) {
  const nonce = await account.getNonce("pre_confirmed");
  const { transaction_hash: hash } = await account.execute(transferTo(second), { nonce, tip: 0 });
  const successStates = ["PRE_CONFIRMED" as const, "ACCEPTED_ON_L2" as const];
  const beganMs = performance.now();
  await provider.waitForTransaction(hash, { retryInterval: 5, successStates });
  if (performance.now() - beganMs > 5_000) early++;
}
check(`executed ${rounds} with the nonce that is pre-confirmed`, early === 0);

const estimate = await account.estimateInvokeFee(transferTo(first), { tip: 0 });
check("estimated on the pre-confirmed block", estimate.overall_fee > 0n);
const { simulated_transactions: simulated } = await account.simulateTransaction(
  [{ type: "INVOKE", ...transferTo(first) }],
  { tip: 0 },
);
check("simulated", simulated[0]?.transaction_trace.type === "INVOKE");
const refused = await account
  .execute(transferTo(first), { nonce: 1n << 40n, tip: 0, resourceBounds: estimate.resourceBounds })
  .then(() => "", String);
check("is refused a nonce far ahead, and told why", /nonce/i.test(refused));

// The client batches all requests of 50 ms.
const batching = new RpcProvider({ nodeUrl: url, batch: 50 });
const numbers = await Promise.all(Array.from({ length: BATCH }, () => batching.getBlockNumber()));
check(
  `has ${numbers.length} responses to a batch`,
  numbers.every((number) => number >= 0),
);

if (awaits) process.exit(0);
const minted = { address: first, amount: 10 ** 6 };
const held = await balanceOf(first);
await provider.fetch("devnet_mint", minted);
check("minted, and read the balance", (await balanceOf(first)) === held + 10n ** 6n);
