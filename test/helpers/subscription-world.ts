import {
  encodeTransaction,
  type Event,
  type HashedTransaction,
  type Receipt,
} from "#protocol/chain/index.ts";
import { type JsonValue, stringifyJson } from "#base/codec/index.ts";
import { createMethodTables, type ServerContext } from "#api/rpc/index.ts";
import { SubscriptionHub } from "#api/rpc/ws/hub.ts";
import { SLICE_MS, type WsLimits } from "#api/rpc/ws/limits.ts";
import { Session } from "#api/rpc/ws/session.ts";
import type { PendingBlock } from "#engine/state/index.ts";
import {
  createFakeChain,
  fakeBlock,
  type FakeBlock,
  fakePending,
  fakeReceipt,
} from "./fake-chain.ts";
import { CONTRACT, INVOKE_V3, sampleContext } from "./sample-chain.ts";
import { dispatcherOf, notesOf, WEB_SOCKETS, type FullContext } from "./serving.ts";
import { bodyText } from "./held-bytes.ts";

/** A growing block above the accepted ones. */
interface OpenBlock {
  readonly number: number;
  readonly transactions: HashedTransaction[];
  readonly receipts: Receipt[];
  /** Number of last transactions that this thread sees only once the block is accepted. */
  unseen: number;
}

/** A notification to a client. */
export interface Notification {
  readonly method: string;
  readonly params: { readonly subscription_id: string; readonly result: unknown };
}

/** An event of contract 0xc0 with these keys. */
export function eventOf(keys: readonly bigint[], fromAddress = CONTRACT): Event {
  return { fromAddress, keys, data: [0xdn] };
}

/** A chain that the test controls, with a hub whose turns the test triggers. */
export class SubscriptionWorld {
  readonly blocks: FakeBlock[] = [];
  readonly hub: SubscriptionHub;
  readonly context: FullContext;
  /** Transactions in the mempool, by hash. */
  readonly waiting = new Map<bigint, { isCandidate: boolean }>();
  readonly rejections = new Map<bigint, string>();
  /** Number of felts in the filters of all clients. */
  readonly filters = { felts: 0 };
  /** Internal errors of the node. */
  readonly internalErrors: unknown[] = [];
  /** Counters of all subscriptions. */
  readonly counts = { opened: 0, closed: 0, sent: 0, written: 0 };
  /** The hub's interest in candidates, recorded on each change. */
  readonly interest: boolean[] = [];
  /** Highest block that is accepted on L1. */
  settled: number | undefined;
  readonly #above: OpenBlock[] = [];
  #turns: (() => void)[] = [];
  #nextHash = 0x1000n;

  /**
   * @param parts - replace parts of the context
   * @param sliceMs - duration of a turn of the hub; 0 for one step
   */
  constructor(parts: Partial<FullContext> = {}, sliceMs = SLICE_MS) {
    const chain = createFakeChain(this.blocks);
    this.context = sampleContext({
      chain: { ...chain, l1AcceptedNumber: () => this.settled },
      pending: () => this.#views().at(-1),
      unaccepted: () => this.#views(),
      mempool: {
        find: (hash) => {
          const found = this.waiting.get(hash);
          return Promise.resolve(
            found && { hash, transaction: INVOKE_V3, isCandidate: found.isCandidate },
          );
        },
        rejectionOf: (hash) => Promise.resolve(this.rejections.get(hash)),
      },
      ...parts,
    });
    this.hub = new SubscriptionHub({
      context: this.context,
      observer: { internalError: (_method, _id, error) => this.internalErrors.push(error) },
      later: (turn) => void this.#turns.push(turn),
      wantUnexecuted: (isWanted) => {
        if (isWanted !== (this.interest.at(-1) ?? false)) this.interest.push(isWanted);
      },
      sliceMs,
    });
    this.accept();
  }

  /** Executes a transaction in the topmost block, or in a new one. @returns its hash */
  execute(
    events: readonly Event[] = [],
    {
      isNewBlock = false,
      transaction = INVOKE_V3 as HashedTransaction["transaction"],
      hash = this.#nextHash++,
    } = {},
  ): bigint {
    let top = this.#above.at(-1);
    if (top === undefined || isNewBlock) {
      top = {
        number: this.blocks.length + this.#above.length,
        transactions: [],
        receipts: [],
        unseen: 0,
      };
      this.#above.push(top);
    }
    top.transactions.push({ hash, transaction });
    top.receipts.push(fakeReceipt({ transactionHash: hash, events }));
    this.hub.changed();
    return hash;
  }

  /** Like {@link execute}, at the end of the topmost block, without notifying this thread. */
  executeUnseen(events: readonly Event[]): bigint {
    const hash = this.execute(events);
    const top = this.#above.at(-1);
    if (top !== undefined) top.unseen++;
    return hash;
  }

  /** Accepts the lowest block above; an empty one if there is no block. */
  accept(): void {
    const block = this.#above.shift() ?? {
      number: this.blocks.length,
      transactions: [],
      receipts: [],
      unseen: 0,
    };
    const { number, transactions, receipts } = block;
    this.blocks.push(fakeBlock({ header: { number }, transactions, receipts }));
    this.hub.changed();
  }

  /** Sends a transaction to the executor. */
  hand(hash: bigint, isAgain = false): void {
    const transaction = { hash, transaction: INVOKE_V3 };
    const bytes = encodeTransaction(transaction);
    this.hub.candidates([{ hash, isAgain, bytes, transaction: () => transaction }]);
  }

  /** Marks blocks up to this one as accepted on L1. */
  settleOnL1(blockNumber: number): void {
    this.settled = blockNumber;
    this.hub.settled(blockNumber);
  }

  /** Reverts the blocks above `number`. */
  revert(number: number): void {
    const removed = this.blocks.splice(number + 1);
    this.#above.splice(0);
    const [starting, ending] = [removed[0], removed.at(-1)];
    this.hub.reverted(starting && ending && { starting: starting.header, ending: ending.header });
  }

  /** Gives up to `count` turns to the hub. @returns whether it used any */
  turn(count = 1): boolean {
    for (let i = 0; i < count; i++) {
      const [next, ...rest] = this.#turns;
      if (next === undefined) return i > 0;
      this.#turns = rest;
      next();
    }
    return true;
  }

  /** Gives turns until the hub is idle. */
  async settle(): Promise<void> {
    for (;;) {
      await Bun.sleep(0);
      if (!this.turn(100)) return;
    }
  }

  /** A client of a version. */
  client(version = "0.10.2", limits: Partial<WsLimits> = {}): WorldClient {
    return new WorldClient(this, version, limits);
  }

  #views(): PendingBlock[] {
    return this.#above.map(({ number, transactions, receipts, unseen }) => {
      const seen = receipts.length - unseen;
      return fakePending(createFakeChain(this.blocks), {
        transactions: transactions.slice(0, seen),
        receipts: receipts.slice(0, seen),
        info: { number },
      });
    });
  }
}

let lastId = 0;

/** A client without a real connection that records what it is sent. */
export class WorldClient {
  readonly notifications: Notification[] = [];
  readonly session: Session<ServerContext>;
  isOpen = true;
  isWritable = true;
  hasFailed = false;
  readonly #world: SubscriptionWorld;

  constructor(world: SubscriptionWorld, version: string, limits: Partial<WsLimits>) {
    const table = createMethodTables().find(({ spec }) => spec.version === version);
    if (table === undefined) throw new RangeError(`version ${version} is not served`);
    this.#world = world;
    this.session = new Session({
      table,
      hub: world.hub,
      limits: { ...WEB_SOCKETS.limits, ...limits },
      filters: world.filters,
      observer: {
        opened: () => undefined,
        closed: () => undefined,
        droppedSlow: () => undefined,
        subscriptions: () => ({
          opened: () => void world.counts.opened++,
          closed: () => void world.counts.closed++,
          sent: () => void world.counts.sent++,
          written: () => void world.counts.written++,
        }),
      },
      nextId: () => String(++lastId),
    });
  }

  notify(...parts: readonly Uint8Array[]): void {
    this.notifications.push(JSON.parse(Buffer.concat(parts).toString()) as Notification);
  }

  release(): void {
    // This connection never buffers.
  }

  fail(): void {
    this.hasFailed = true;
    this.isOpen = false;
  }

  /** Sends a request, and starts its subscription. @returns the response without the envelope */
  async ask(method: string, params: JsonValue = []): Promise<Record<string, unknown>> {
    const dispatcher = dispatcherOf(this.#world.context);
    const request = this.session.request(this);
    const body = await dispatcher.handle(
      stringifyJson({ jsonrpc: "2.0", id: 1, method, params }),
      request.table,
      notesOf(),
    );
    request.answered();
    const text = bodyText(body);
    const { jsonrpc: _, id: __, ...answer } = JSON.parse(text) as Record<string, unknown>;
    return answer;
  }

  /** Subscribes. @returns the subscription's id */
  async subscribe(method: string, params: JsonValue = []): Promise<string> {
    const answer = await this.ask(`starknet_${method}`, params);
    const { result } = answer;
    if (typeof result !== "string") throw new TypeError(`no id: ${JSON.stringify(answer)}`);
    return result;
  }

  /** Results as `a:b`, of two members of each. */
  pairs(id: string, first: string, second: string): string[] {
    return this.results(id).map((result) => `${String(result[first])}:${String(result[second])}`);
  }

  /** Results that a subscription was sent. */
  results(id: string): Record<string, unknown>[] {
    return this.notifications
      .filter(({ params }) => params.subscription_id === id)
      .map(({ params }) => params.result as Record<string, unknown>);
  }
}
