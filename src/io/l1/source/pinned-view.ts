import { invariant, L1Error } from "#base/errors/index.ts";
import {
  type CorePlace,
  readCoreState,
  readNextNonce,
  readMessageStates,
} from "../contract/core-reads.ts";
import { readCoreLogs } from "../logs/core-logs.ts";
import { hasInReceipts, missingLogs } from "../logs/omitted-logs.ts";
import { isSameLog } from "../logs/same-log.ts";
import type { CoreContractLog, CoreState, L1Block, L1View, MessageState } from "../types.ts";
import { agreed, type Answer, NO_JUDGE } from "./agreed.ts";
import type { Member } from "./member.ts";
import type { Pin } from "./pin.ts";
import type { L1SourceOptions } from "./options.ts";
import type { EndpointPool } from "./pool.ts";

type LogsAnswer = Answer<readonly CoreContractLog[]>;

/** View of L1 at one block, through the endpoints that have it. */
export class PinnedView implements L1View {
  readonly block: L1Block;
  readonly head: L1Block;
  readonly #pool: EndpointPool;
  readonly #members: readonly Member[];
  readonly #options: Pick<L1SourceOptions, "coreContractAddress" | "limits">;
  readonly #known: Pin["known"];
  /** Values read in this view; they are cached once the view is confirmed. */
  readonly #read: Pin["known"] = { core: undefined, nextNonce: undefined };

  constructor(
    pool: EndpointPool,
    { block, head, members, known }: Pin,
    options: Pick<L1SourceOptions, "coreContractAddress" | "limits">,
  ) {
    this.block = block;
    this.head = head;
    this.#pool = pool;
    this.#members = members;
    this.#options = options;
    this.#known = known;
  }

  async logs(from: number, to: number): Promise<readonly CoreContractLog[]> {
    invariant(to <= this.block.number, "logs of blocks that do not count yet");
    if (from > to) return [];
    return agreed(
      this.#pool,
      this.#members,
      `logs of blocks ${from} to ${to}`,
      ({ endpoint, ranges }) => {
        const { head } = this;
        const { coreContractAddress, limits } = this.#options;
        return readCoreLogs({ endpoint, ranges, coreContractAddress, head, limits }, from, to);
      },
      (a, b) =>
        a.length === b.length &&
        a.every((log, index) => {
          const other = b[index];
          return other !== undefined && isSameLog(log, other);
        }),
      (a, b) => this.#findOmitter(a, b),
    );
  }

  hashOf(blockNumber: number): Promise<bigint | undefined> {
    if (blockNumber > this.head.number) return Promise.resolve(undefined);
    return this.#agreed(
      `block ${blockNumber}`,
      async ({ endpoint }) => (await endpoint.block(blockNumber))?.hash,
      (a, b) => a === b,
    );
  }

  async coreState(): Promise<CoreState> {
    return (
      this.#known.core ??
      (this.#read.core ??= await this.#agreed(
        `the core contract's state at block ${this.block.number}`,
        ({ endpoint }) => readCoreState(this.#place(endpoint)),
        (a, b) =>
          a.stateRoot === b.stateRoot &&
          a.blockNumber === b.blockNumber &&
          a.blockHash === b.blockHash,
      ))
    );
  }

  async nextMessageNonce(): Promise<bigint> {
    return (
      this.#known.nextNonce ??
      (this.#read.nextNonce ??= await this.#agreed(
        `the next nonce at block ${this.block.number}`,
        ({ endpoint }) => readNextNonce(this.#place(endpoint)),
        (a, b) => a === b,
      ))
    );
  }

  messages(hashes: readonly bigint[]): Promise<readonly MessageState[]> {
    return this.#agreed(
      `messages at block ${this.block.number}`,
      ({ endpoint }) => readMessageStates(this.#place(endpoint), hashes),
      (a, b) =>
        a.every(
          ({ feePlusOne, cancellationStarted }, index) =>
            b[index]?.feePlusOne === feePlusOne &&
            b[index].cancellationStarted === cancellationStarted,
        ),
    );
  }

  /** @throws {L1Error} when the view's block is no longer part of the chain, or no endpoint responds */
  async confirm(): Promise<void> {
    const { number, hash } = this.block;
    const now = await this.hashOf(number);
    if (now !== hash) {
      const message = `block ${number} of L1 was replaced while it was read`;
      throw new L1Error("L1_REPLACED", message, true);
    }
    this.#known.core ??= this.#read.core;
    this.#known.nextNonce ??= this.#read.nextNonce;
    for (const member of this.#members) if (!member.isAvoided) member.succeeded();
  }

  #place(endpoint: Member["endpoint"]): CorePlace {
    const blockNumber = this.block.number;
    const { coreContractAddress } = this.#options;
    return { endpoint, coreContractAddress, blockNumber };
  }

  #agreed<T>(
    what: string,
    ask: (member: Member) => Promise<T>,
    isSame: (a: T, b: T) => boolean,
  ): Promise<T> {
    return agreed(this.#pool, this.#members, what, ask, isSame, NO_JUDGE);
  }

  /**
   * Finds the endpoint that has logs in its receipts but omits them, while the other endpoint reports them.
   */
  async #findOmitter(a: LogsAnswer, b: LogsAnswer): Promise<Member | undefined> {
    const { coreContractAddress } = this.#options;
    const missing = [missingLogs(b.value, a.value), missingLogs(a.value, b.value)] as const;
    for (const [index, { member }] of [a, b].entries()) {
      const [own = [], others = []] = index === 0 ? missing : missing.toReversed();
      if (others.length > 0) continue;
      if (await hasInReceipts(member.endpoint, coreContractAddress, own)) return member;
    }
    return undefined;
  }
}
