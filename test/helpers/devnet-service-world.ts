import type { DevnetFork, DumpAccess } from "#api/rpc/index.ts";
import type { ControlClient } from "#app/node/production/control-client.ts";
import { DevnetService } from "#app/node/devnet/devnet-service.ts";
import type { FaucetClient } from "#app/node/devnet/faucet-client.ts";
import { MockL1 } from "#app/node/devnet/mock-l1.ts";
import { Postman } from "#app/node/devnet/postman.ts";
import { Progress } from "#app/node/production/progress.ts";
import { StateWrites } from "#app/node/devnet/state-writes.ts";
import { ReceivedTransactions } from "#app/node/devnet/received.ts";
import { createImpersonationPage, ImpersonatedAccounts } from "#services/admission/index.ts";
import type { ControlCommand } from "#services/sequencer/index.ts";
import { createLogger } from "#base/telemetry/index.ts";
import { FakeTimer } from "./fake-timer.ts";
import { SAMPLE_CHAIN } from "./sample-chain.ts";

/** Chain id of {@link devnetServiceWorld}. */
export const CHAIN_ID = 0x54n;

/** Result of preparing a class in a world without a compiler. */
const UNPREPARED = { kind: "refused", code: "definition", reason: "no compiler" } as const;

/**
 * Development features whose orders complete immediately, with blocks of the sample chain.
 *
 * @param asyncSubmission - see `DevnetServiceDeps`
 * @param followsL1 - see `DevnetServiceDeps`
 * @param fork - fork that the chain is
 */
export function devnetServiceWorld(
  asyncSubmission = false,
  followsL1 = false,
  fork: DevnetFork | null = null,
) {
  const timer = new FakeTimer();
  const orders: ControlCommand[] = [];
  const chain = {
    header: (number: number) => SAMPLE_CHAIN.header(number),
    latestNumber: () => SAMPLE_CHAIN.latestNumber(),
    locate: (hash: bigint) => SAMPLE_CHAIN.locate(hash) ?? { blockNumber: 1, index: 0 },
    receiptAt: SAMPLE_CHAIN.receiptAt.bind(SAMPLE_CHAIN),
    receipts: SAMPLE_CHAIN.receipts.bind(SAMPLE_CHAIN),
    l1AcceptedNumber: (): number | undefined => undefined,
  };
  /** Hook that runs while an order to revert the chain is queued. */
  const beforeRevert = { run: (): void | Promise<void> => undefined };
  const received = new ReceivedTransactions();
  const isExecuted = { value: true };
  const sealsImmediately = { value: false };
  const isAccepted = { value: true };
  const progress = new Progress({
    chain: {
      ...chain,
      latestNumber: () => (isAccepted.value ? chain.latestNumber() : 0),
      locate: (hash) => (isExecuted.value ? chain.locate(hash) : undefined),
    },
    overlay: () => ({ blocks: () => [] }),
    timer,
  });
  const control = {
    order(command: ControlCommand) {
      orders.push(command);
      return Promise.resolve({ blockNumber: 1 });
    },
  } as unknown as ControlClient;
  const minted: unknown[] = [];
  const reverted: unknown[] = [];
  const impersonated = new ImpersonatedAccounts(createImpersonationPage());
  const faucet = {
    mint(...call: unknown[]) {
      minted.push(call);
      return Promise.resolve({ transactionHash: 1n, revertReason: null });
    },
  } as unknown as FaucetClient;
  const service = new DevnetService({
    writes: new StateWrites({
      control,
      progress,
      classes: { prepare: () => Promise.resolve(UNPREPARED) },
      prefetch: () => Promise.resolve(),
      sealsImmediately: () => sealsImmediately.value,
    }),
    chainId: CHAIN_ID,
    tokens: { FRI: 0x57n, WEI: 0xe7n },
    fork,
    chain,
    accounts: () => [],
    config: () => ({}),
    next: () => ({
      timestamp: 5,
      gasPrices: {
        l1Gas: { wei: 1n, fri: 1n },
        l1DataGas: { wei: 1n, fri: 1n },
        l2Gas: { wei: 1n, fri: 1n },
      },
    }),
    control,
    faucet,
    progress,
    received,
    postman: new Postman({
      mockL1: new MockL1(chain, 0),
      open: ({ url, address = 0n }) =>
        Promise.resolve({
          name: url,
          address,
          take: () => Promise.resolve([]),
          send: ({ length: count }) => Promise.resolve({ count, error: undefined }),
        }),
      log: createLogger({ level: "error", format: "text", write: () => undefined }),
    }),
    impersonated,
    revert: async ({ check, ...order }) => {
      await beforeRevert.run();
      check?.();
      reverted.push(order);
      return [0x1n, 0x2n];
    },
    move: null,
    resetEnvironment: () => void reverted.push("environment"),
    dumps: {} as DumpAccess,
    sealsImmediately: () => sealsImmediately.value,
    asyncSubmission,
    followsL1,
    acceptOnL1: () => Promise.resolve(),
  });
  return {
    service,
    impersonated,
    orders,
    minted,
    reverted,
    beforeRevert,
    chain,
    received,
    timer,
    isExecuted,
    sealsImmediately,
    isAccepted,
  };
}
