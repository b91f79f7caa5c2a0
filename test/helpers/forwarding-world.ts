import type { Felt } from "#base/primitives/index.ts";
import type { GatewayTransactionStatus, StatusReply, SubmissionReply } from "#io/feeder/index.ts";
import { type InvokeV3, transactionHash } from "#protocol/chain/index.ts";
import { Forwarding, FORWARDING_LIMITS, type ForwardingLimits } from "#services/sync/index.ts";
import { FakeTimer } from "./fake-timer.ts";
import { INVOKE_V3, SAMPLE_CHAIN_ID } from "./sample-chain.ts";

/** An invocation that is unique for its nonce. */
export function invoke(nonce: number): InvokeV3 {
  return { ...INVOKE_V3, proofFacts: [], nonce: BigInt(nonce) };
}

/** Hash of {@link invoke}. */
export function hashOf(nonce: number): Felt {
  return transactionHash(invoke(nonce), SAMPLE_CHAIN_ID);
}

/** Gateway status of a transaction that the sequencer does not know. */
export const NOT_RECEIVED = {
  finality: "NOT_RECEIVED",
  status: "NOT_RECEIVED",
  executionStatus: undefined,
  blockHash: undefined,
  failureReason: undefined,
  revertReason: undefined,
} as const satisfies GatewayTransactionStatus;

/** Gateway status of a transaction that the sequencer has received. */
export const RECEIVED: GatewayTransactionStatus = {
  ...NOT_RECEIVED,
  finality: "RECEIVED",
  status: "RECEIVED",
};

/** A gateway whose responses the test sets. */
export class StandInGateway {
  /** Received bodies. */
  readonly bodies: string[] = [];
  /** Hashes whose status was requested. */
  readonly asked: Felt[] = [];
  readonly statuses = new Map<Felt, GatewayTransactionStatus>();
  /** Response by the nonce of the transaction. */
  answer: (nonce: number) => SubmissionReply | Promise<SubmissionReply> = (nonce) => ({
    kind: "taken",
    transactionHash: hashOf(nonce),
  });
  status: (hash: Felt) => StatusReply | Promise<StatusReply> = (hash) => ({
    kind: "status",
    status: this.statuses.get(hash) ?? NOT_RECEIVED,
  });

  async addTransaction(bodyJson: string): Promise<SubmissionReply> {
    this.bodies.push(bodyJson);
    const { nonce } = JSON.parse(bodyJson) as { readonly nonce: string };
    return this.answer(Number(nonce));
  }

  async transactionStatus(hash: Felt): Promise<StatusReply> {
    this.asked.push(hash);
    return this.status(hash);
  }
}

/** Forwarding of a full node, with its fake environment. */
export interface ForwardingWorld {
  readonly forwarding: Forwarding;
  readonly gateway: StandInGateway;
  readonly timer: FakeTimer;
  /** Transactions that are in accepted blocks. */
  readonly included: Set<Felt>;
  /** Transactions in the block being built. */
  readonly building: Set<Felt>;
  /** Transactions reported as accepted by the gateway. */
  readonly taken: readonly Felt[];
  /** Advances time in steps of a second. */
  pass(ms: number): Promise<void>;
}

/** Creates a world in which nothing has been forwarded yet. */
export function forwardingWorld(limits: Partial<ForwardingLimits> = {}): ForwardingWorld {
  const gateway = new StandInGateway();
  const timer = new FakeTimer();
  const included = new Set<Felt>();
  const building = new Set<Felt>();
  const taken: Felt[] = [];
  const forwarding = new Forwarding({
    chainId: SAMPLE_CHAIN_ID,
    gateway,
    inclusionOf: (hash) =>
      included.has(hash) ? "accepted" : building.has(hash) ? "building" : undefined,
    onForwarded: (hash) => taken.push(hash),
    limits: { ...FORWARDING_LIMITS, ...limits },
    timer,
  });
  return {
    forwarding,
    gateway,
    timer,
    included,
    building,
    taken,
    async pass(ms) {
      for (let passed = 0; passed < ms; passed += 1000) {
        timer.advance(Math.min(1000, ms - passed));
        // Lets responses arrive, and requests that follow.
        for (let i = 0; i < 4; i++) await new Promise(setImmediate);
      }
    },
  };
}

/** Returns a transaction hash that no gateway of these tests knows. */
export function strangeHash(i: number): Felt {
  return 0xabcd0000000n + BigInt(i);
}
