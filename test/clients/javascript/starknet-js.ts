/**
 * starknet.js against a running development chain: it never waits for a transaction, and reads right
 * after each answer.
 *
 * Environment: CLIENT_URL, CLIENT_ADDRESS, CLIENT_PRIVATE_KEY, CLIENT_TOKEN. Prints a line for each
 * step; ends with 1 at the first that fails.
 */
import { Account, logger, RpcProvider } from "starknet";
import { checks, clientEnvironment } from "./check.ts";

const EXECUTES = 15;
const AMOUNT = 5n;
const RECIPIENTS = ["0x1234567892", "0x1234567893"] as const;

// It warns of blocks that have too few tips to estimate one.
logger.setLogLevel("ERROR");
const check = checks("starknet.js");
const { url, address, privateKey, token } = clientEnvironment();
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

const [first, second] = RECIPIENTS;
const before = [await balanceOf(first), await balanceOf(second)] as const;
const firstNonce = BigInt(await provider.getNonceForAddress(address, "latest"));

let stale = 0;
for (let sent = 1n; sent <= EXECUTES; sent++) {
  const { transaction_hash: hash } = await account.execute(transferTo(first));
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
check(`executed ${EXECUTES} times without waiting`, true);
check(`read receipt, nonce, trace and balance right after each answer`, stale === 0);

const nonce = BigInt(await account.getNonce());
const sent = await Promise.all(
  Array.from({ length: EXECUTES }, (_, i) =>
    account.execute(transferTo(second), { nonce: nonce + BigInt(i) }),
  ),
);
check(`executed ${EXECUTES} at once`, new Set(sent.map((one) => one.transaction_hash)).size === 15);
const both = before[1] + BigInt(EXECUTES) * AMOUNT;
check("the recipient has them", (await balanceOf(second)) === both);

const minted = { address: first, amount: 10 ** 6 };
const held = await balanceOf(first);
await provider.fetch("devnet_mint", minted);
check("minted, and read the balance", (await balanceOf(first)) === held + 10n ** 6n);
