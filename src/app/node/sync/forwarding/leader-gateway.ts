import type { Timer } from "#base/primitives/index.ts";
import {
  createGatewayClient,
  GATEWAY_LIMITS,
  type GatewayClient,
  type GatewayClientOptions,
  type SubmissionReply,
} from "#io/feeder/index.ts";
import { linkedSignal } from "#io/http/index.ts";
import type { GatewayUrls } from "../../setup/follow.ts";

/**
 * Returns the gateway of the current leader; called for each request. `undefined` if there is no leader, it
 * is unknown, or it is this node.
 */
export type LeaderAddress = () => GatewayUrls | undefined;

/** Options of {@link LeaderGateway}. */
export type LeaderGatewayOptions = Omit<GatewayClientOptions, "gateways" | "limits">;

/** Gateway methods that forwarding needs. */
export type SubmissionGateway = Pick<GatewayClient, "addTransaction" | "transactionStatus">;

/** Interval between two checks of the leader while a submission is in flight. */
const CHECK_MS = 500;

/** A client of one leader's gateway. */
interface LeaderClient {
  readonly urls: GatewayUrls;
  readonly gateway: SubmissionGateway;
  /** Aborts its requests. */
  readonly end: () => void;
}

/**
 * Gateway client of the current leader, which may change between requests. A change of leader aborts
 * submissions in flight: a sequencer that hangs would hold them up to the request timeout.
 */
export class LeaderGateway implements SubmissionGateway {
  readonly #leader: LeaderAddress;
  readonly #options: LeaderGatewayOptions;
  readonly #timer: Timer;
  #client: LeaderClient | undefined;
  #inFlight = 0;
  #cancelCheck: (() => void) | undefined;

  constructor(leader: LeaderAddress, options: LeaderGatewayOptions) {
    this.#leader = leader;
    this.#options = options;
    this.#timer = options.timer;
  }

  async addTransaction(bodyJson: string, isDeclaration: boolean): Promise<SubmissionReply> {
    const client = this.#now();
    if (client === undefined) return { kind: "unreachable", message: NO_LEADER, isUnsent: true };
    this.#inFlight++;
    this.#check();
    try {
      return await client.addTransaction(bodyJson, isDeclaration);
    } finally {
      this.#inFlight--;
    }
  }

  transactionStatus(
    ...question: Parameters<GatewayClient["transactionStatus"]>
  ): ReturnType<GatewayClient["transactionStatus"]> {
    const client = this.#now();
    if (client !== undefined) return client.transactionStatus(...question);
    return Promise.resolve({ kind: "unreachable", message: NO_LEADER });
  }

  #check(): void {
    if (this.#cancelCheck !== undefined || this.#inFlight === 0) return;
    this.#cancelCheck = this.#timer.after(CHECK_MS, () => {
      this.#cancelCheck = undefined;
      this.#now();
      this.#check();
    });
  }

  #now(): SubmissionGateway | undefined {
    const urls = this.#leader();
    if (urls === undefined) return undefined;
    const { feeder, gateway } = this.#client?.urls ?? {};
    if (this.#client !== undefined && urls.feeder === feeder && urls.gateway === gateway) {
      return this.#client.gateway;
    }
    this.#client?.end();
    this.#client = this.#open(urls);
    return this.#client.gateway;
  }

  #open(urls: GatewayUrls): LeaderClient {
    const replaced = new AbortController();
    const { signal, unlink } = linkedSignal([this.#options.signal, replaced.signal]);
    const options = { ...this.#options, gateways: [urls], limits: GATEWAY_LIMITS, signal };
    return {
      urls,
      gateway: createGatewayClient(options),
      end() {
        replaced.abort();
        unlink();
      },
    };
  }
}

const NO_LEADER = "no sequencer leads the chain at the moment";
