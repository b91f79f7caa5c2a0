import { decodeEventLog } from "viem";
import { ETH_TEXT, type Hex, l1Artifact, type L1Call, waitFor } from "#app/bootstrap/index.ts";
import { BootstrapError } from "#base/errors/index.ts";
import { type Felt, feltFromShortString, hexFromFelt } from "#base/primitives/index.ts";
import { type L1Handler, transactionHash } from "#protocol/chain/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { amountText, type BridgedToken } from "./bridged-token.ts";
import type { TransferOutcome } from "./outcome.ts";
import type { Sides } from "./sides.ts";
import type { SentName, TransferFile } from "./transfer-file.ts";

/** Parameters of a deposit. */
export interface DepositRequest {
  readonly token: BridgedToken;
  /** In the token's smallest unit. */
  readonly amount: bigint;
  readonly recipient: Felt;
  /** Whether to mint missing tokens first, which a test token allows to anyone. */
  readonly mints: boolean;
}

/** Fee of a message to L2, wei: the core contract requires one above 0. */
const MESSAGE_FEE_WEI = 10n ** 14n;

const LOW_HALF = (1n << 128n) - 1n;

/** Deposits on L1 and waits for the effect on L2. Can be killed at any time and run again. */
export async function deposit(
  sides: Sides,
  file: TransferFile,
  request: DepositRequest,
  say: (line: string) => void,
): Promise<TransferOutcome> {
  if (file.isDone) return { kind: "done before" };
  const { token, amount, recipient } = request;
  const { l1, l2, waiting, settings } = sides;
  const isEth = token.contract === "EthBridge";
  if (file.sent("deposit") === undefined) {
    if (isEth) await requireEth(sides, amount);
    else await prepareTokens(sides, file, request, say);
  }
  const { l1Bridge: address, contract, l1Token } = token;
  const args = [l1Token, amount, recipient];
  const call: L1Call = { address, contract, functionName: "deposit", args };
  const value = MESSAGE_FEE_WEI + (isEth ? amount : 0n);
  const logs = await onceOnL1(sides, file, "deposit", call, value);
  const hash = messageHash(sides, request, logs);
  say(`deposited on L1; transaction on L2: ${hash}`);
  const outcome = await waitFor(waiting, settings.crossChainWaitMs, () => l2.outcomeOf(hash));
  if (outcome === undefined) {
    const reason = `the message is not executed on L2 after CROSS_CHAIN_WAIT_TIME (was the sequencer started with --l1-endpoint, and are there enough blocks on L1 above the message?)`;
    return { kind: "waits", reason };
  }
  if (outcome === "succeeded") {
    file.finish();
    return { kind: "done" };
  }
  throw new BootstrapError(
    "BOOTSTRAP_L2_TRANSACTION",
    `the message of the deposit failed on L2 (${outcome}); what ${l1.address} deposited stays in the bridge ${token.l1Bridge}: its governor has to help`,
  );
}

/** Sends a transfer's L1 transaction, the same one in every run, and waits until it is in a block. */
export async function onceOnL1(
  { l1 }: Sides,
  file: TransferFile,
  name: Exclude<SentName, "burn">,
  call: L1Call,
  value: bigint,
): Promise<readonly unknown[]> {
  const signed = file.sent(name) ?? file.keep(name, await l1.sign(call, value));
  return l1.include(signed, `${call.functionName} of ${call.contract}`);
}

async function requireEth({ l1 }: Sides, amount: bigint): Promise<void> {
  const held = await l1.balanceWei();
  if (held > amount + MESSAGE_FEE_WEI) return;
  throw tooLittle(l1.address, "L1", held, ETH_TEXT);
}

/** Prepares the tokens for the bridge: mints missing ones if requested, and approves. */
async function prepareTokens(
  sides: Sides,
  file: TransferFile,
  { token, amount, mints }: DepositRequest,
  say: (line: string) => void,
): Promise<void> {
  const { l1 } = sides;
  const owner = l1.address;
  const call = (functionName: string, args: readonly unknown[]): L1Call => ({
    address: token.l1Token,
    contract: "TestToken",
    functionName,
    args,
  });
  const read = async (functionName: string, args: readonly unknown[]): Promise<bigint> => {
    const actual = await l1.read(call(functionName, args));
    if (typeof actual === "bigint") return actual;
    throw new BootstrapError(
      "BOOTSTRAP_NO_TOKEN",
      `${token.l1Token} does not return a valid ${functionName}`,
    );
  };
  const before = await read("balanceOf", [owner]);
  if (file.sent("mint") !== undefined || (mints && before < amount)) {
    await onceOnL1(sides, file, "mint", call("mint", [owner, amount - before]), 0n);
    say("minted on L1");
  }
  const held = await read("balanceOf", [owner]);
  if (held < amount) throw tooLittle(owner, "L1", held, token);
  const allowance = await read("allowance", [owner, token.l1Bridge]);
  if (file.sent("approve") === undefined && allowance >= amount) return;
  await onceOnL1(sides, file, "approve", call("approve", [token.l1Bridge, amount]), 0n);
  say("approved on L1");
}

/** Creates the error of a transfer above the account's balance. */
export function tooLittle(
  owner: string,
  side: "L1" | "L2",
  held: bigint,
  token: Pick<BridgedToken, "symbol" | "decimals">,
): BootstrapError {
  const message = `${owner} holds ${amountText(held, token)} on ${side}, which is too little`;
  return new BootstrapError("BOOTSTRAP_BALANCE", message);
}

/** Computes the hash of the L2 transaction that executes the deposit's message. */
function messageHash(
  { l1, settings }: Sides,
  { token, amount, recipient }: DepositRequest,
  logs: readonly unknown[],
): string {
  const nonce = logs.map((log) => nonceOf(token, log)).find((found) => found !== undefined);
  if (nonce === undefined) {
    const message = `the node of ETH_RPC shows no Deposit event of ${token.l1Bridge} in the deposit's transaction`;
    throw new BootstrapError("BOOTSTRAP_NONSENSE", message);
  }
  const handler: L1Handler = {
    type: "L1_HANDLER",
    version: 0,
    nonce,
    contractAddress: token.l2Bridge,
    entryPointSelector: selectorFromName("handle_token_deposit"),
    calldata: [
      BigInt(token.l1Bridge),
      BigInt(token.l1Token),
      BigInt(l1.address),
      recipient,
      amount & LOW_HALF,
      amount >> 128n,
    ],
    paidFeeOnL1: null,
  };
  return hexFromFelt(transactionHash(handler, feltFromShortString(settings.appChainId)));
}

function nonceOf({ contract, l1Bridge }: BridgedToken, log: unknown): bigint | undefined {
  const { address, topics, data } = (log ?? {}) as {
    readonly address?: unknown;
    readonly topics: [Hex, ...Hex[]];
    readonly data: Hex;
  };
  if (typeof address !== "string" || address.toLowerCase() !== l1Bridge) return undefined;
  try {
    const { abi } = l1Artifact(contract);
    const { eventName, args } = decodeEventLog({ abi, topics, data });
    const nonce = (args as Readonly<Record<string, unknown>> | undefined)?.["nonce"];
    return eventName === "Deposit" && typeof nonce === "bigint" ? nonce : undefined;
  } catch {
    // Another event, or malformed data: a node may return anything.
    return undefined;
  }
}
