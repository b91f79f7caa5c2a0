import { expect } from "bun:test";
import { type JsonValue, stringifyJson } from "#base/codec/index.ts";
import {
  createMethodTables,
  type DevnetAccess,
  type DevnetContext,
  type DumpAccess,
  RECORDER_LIMITS,
  RequestRecorder,
  withDevnet,
} from "#api/rpc/index.ts";
import type { RpcAnswer } from "./rpc.ts";
import { CONTRACT, sampleContext } from "./sample-chain.ts";
import { answerText, dispatcherOf, type FullContext } from "./serving.ts";

/** Address of the token contract of each unit in {@link devnetWorld}. */
export const TOKENS = { FRI: 0x57_72n, WEI: 0xe7_4n } as const;

/** Context of a development chain's methods, for all of its threads. */
export type DevelopedContext = FullContext & DevnetContext;

/** Dump access of a chain without dumps. */
const NO_DUMPS: DumpAccess = {
  on: null,
  path: null,
  recorder: new RequestRecorder({ genesis: 0, newest: 0 }, RECORDER_LIMITS),
  isLoading: false,
  whole: (load) => load(),
  executed: () => Promise.resolve(),
  accepted: () => Promise.resolve(),
  hold: () => undefined,
  resumeTime: () => Promise.resolve(),
  read: () => Promise.resolve(null),
  write: () => undefined,
};

/** Members of {@link DevnetAccess} that a test replaces. */
export type AccessParts = Partial<DevnetAccess>;

/**
 * The sample chain with development features that record their calls.
 *
 * @param parts - replace the features with fixed responses
 */
export function devnetWorld(parts: AccessParts = {}) {
  const calls: unknown[] = [];
  const note = (...call: readonly unknown[]): Promise<void> => {
    calls.push(call);
    return Promise.resolve();
  };
  const price = (wei: bigint) => ({ wei, fri: wei + 1n });
  const devnet: DevnetAccess = {
    tokens: TOKENS,
    fork: null,
    accounts: () => [{ address: CONTRACT, publicKey: 0xabn, privateKey: 0xcdn }],
    config: () => ({ seed: 7 }),
    timestamp: () => 2_000_000_000,
    gasPrices: () => ({ l1Gas: price(1n), l1DataGas: price(3n), l2Gas: price(1n << 70n) }),
    async mint(...call) {
      await note("mint", ...call);
      return { transactionHash: 0x717n, revertReason: null };
    },
    async createBlock(fresh) {
      await note("createBlock", fresh);
      return { number: 2, hash: 0xb10cn };
    },
    setTime: (timestamp) => note("setTime", timestamp),
    increaseTime: (seconds) => note("increaseTime", seconds),
    async createTimedBlock(time) {
      await note("createTimedBlock", time);
      return { number: 2, hash: 0xb10cn };
    },
    setGasPrices: (prices) => note("setGasPrices", prices),
    async sendMessage(message) {
      await note("sendMessage", message);
      return 0x315n;
    },
    impersonate: (address) => void note("impersonate", address),
    stopImpersonating: (address) => void note("stopImpersonating", address),
    impersonateAll: (isOn) => void note("impersonateAll", isOn),
    async loadMessaging(order) {
      await note("loadMessaging", order);
      return 0x5c07n;
    },
    consumeMessage: () => 0x1234n,
    flushMessages: () =>
      Promise.resolve({ toL1: [], toL2: [], transactions: [], provider: undefined }),
    restart: (disconnectsL1) => note("restart", disconnectsL1),
    moveFork: (target) => note("moveFork", target),
    async abortFrom(blockNumber) {
      await note("abortFrom", blockNumber);
      return [0xabn];
    },
    acceptOnL1: (blockNumber) => note("acceptOnL1", blockNumber),
    setStorage: (write) => note("setStorage", write),
    setBalance: (balance) => note("setBalance", balance),
    async applyStateDiff(request) {
      await note("applyStateDiff", request);
      return { kind: "applied", classes: [] };
    },
    settle: () => Promise.resolve(),
    dumps: NO_DUMPS,
    ...parts,
  };
  const context: DevelopedContext = { ...sampleContext(), unaccepted: () => [], devnet };
  return { context, calls };
}

/** Sends one request, by its full name, to the newest version of a development node. */
export async function askDevnet(
  method: string,
  params: JsonValue,
  context: DevelopedContext = devnetWorld().context,
): Promise<RpcAnswer> {
  const [newest] = createMethodTables();
  const request = { jsonrpc: "2.0", id: 1, method, params };
  const table = withDevnet(newest);
  const text = await answerText(dispatcherOf(context), stringifyJson(request), table);
  const { jsonrpc: _, id: __, ...answer } = JSON.parse(text) as Record<string, unknown>;
  return answer as unknown as RpcAnswer;
}

/** Sends a request that must be rejected with -32602. @returns the path in the error */
export async function refusedPath(
  method: string,
  params: JsonValue,
  context?: DevelopedContext,
): Promise<unknown> {
  const answer = await askDevnet(method, params, context);
  if (!("error" in answer)) return answer;
  expect(answer.error.code).toBe(-32602);
  return (answer.error.data as { readonly path?: unknown }).path;
}
