import {
  createGatewayClient,
  GATEWAY_LIMITS,
  type GatewayClient,
  type GatewayClientOptions,
  type SubmissionReply,
} from "#io/feeder/index.ts";
import type { GatewayUrls } from "../setup/follow.ts";

/**
 * Where the gateway of the sequencer is that makes the blocks now; asked each time. `undefined`: there
 * is none, nobody knows it, or it is this node itself.
 */
export type LeaderAddress = () => GatewayUrls | undefined;

/** What asking whoever leads works with. */
export type LeaderGatewayOptions = Omit<GatewayClientOptions, "gateways" | "limits">;

/** What is asked of a sequencer's gateway. */
export type SubmissionGateway = Pick<GatewayClient, "addTransaction" | "transactionStatus">;

const RETRY_SECONDS = 2;

/** The answer to a transaction that was not sent. */
function later(why: string): SubmissionReply {
  return {
    kind: "refused",
    code: "StarknetErrorCode.RATE_LIMITED",
    message: `${why}: try again in ${RETRY_SECONDS} s`,
    retryAfterSeconds: RETRY_SECONDS,
  };
}

/** A gateway of the sequencer that makes the blocks, whichever that is when it is asked. */
export class LeaderGateway implements SubmissionGateway {
  readonly #leader: LeaderAddress;
  readonly #options: LeaderGatewayOptions;
  #client: SubmissionGateway | undefined;
  #urls: GatewayUrls | undefined;

  constructor(leader: LeaderAddress, options: LeaderGatewayOptions) {
    this.#leader = leader;
    this.#options = options;
  }

  async addTransaction(bodyJson: string, isDeclaration: boolean): Promise<SubmissionReply> {
    const client = this.#now();
    if (client === undefined) return later("no sequencer leads the chain at the moment");
    const reply = await client.addTransaction(bodyJson, isDeclaration);
    const isUnsent = reply.kind === "unreachable" && reply.isUnsent === true;
    // Another one takes over soon.
    return isUnsent ? later("the sequencer that leads the chain cannot be reached") : reply;
  }

  transactionStatus(
    ...question: Parameters<GatewayClient["transactionStatus"]>
  ): ReturnType<GatewayClient["transactionStatus"]> {
    const client = this.#now();
    if (client !== undefined) return client.transactionStatus(...question);
    return Promise.resolve({ kind: "unreachable", message: "no sequencer leads the chain" });
  }

  #now(): SubmissionGateway | undefined {
    const urls = this.#leader();
    if (urls === undefined) return undefined;
    const isSame = urls.feeder === this.#urls?.feeder && urls.gateway === this.#urls.gateway;
    if (!isSame || this.#client === undefined) {
      this.#urls = urls;
      this.#client = createGatewayClient({
        ...this.#options,
        gateways: [urls],
        limits: GATEWAY_LIMITS,
      });
    }
    return this.#client;
  }
}
