import type { MainContext } from "../context.ts";
import { type Dispatcher, refuse } from "../dispatch.ts";
import { limitExceeded, requestIdOf } from "../json-rpc.ts";
import type { Caller } from "../limits/caller.ts";
import type { RateLimiter } from "../limits/rate-limiter.ts";
import type { MethodTable } from "../table.ts";
import type { SubscriptionHub } from "./hub.ts";
import { InFlight } from "./in-flight.ts";
import type { WsLimits } from "./limits.ts";
import type { WsObserver } from "./observer.ts";
import { type FilterTotal, Session } from "./session.ts";
import { GatedOutlet } from "./gated-outlet.ts";
import type { WsConnection } from "./transport/connection.ts";
import type { WsListener } from "./transport/listener.ts";
import type { ReadTurns } from "./transport/read-turns.ts";
import { CLOSE_CODES } from "./transport/frame.ts";

/** Shared dependencies of all connections of a server. */
export interface RpcSocketDeps<C> {
  readonly dispatcher: Dispatcher<C>;
  readonly hub: SubscriptionHub;
  readonly rateLimiter: RateLimiter | null;
  readonly limits: WsLimits;
  readonly filters: FilterTotal;
  readonly turns: ReadTurns;
  readonly nextId: () => string;
  readonly observer: WsObserver;
}

/** Message that waits for its response, and the release of its reservation. */
interface WaitingMessage {
  readonly text: string;
  readonly release: () => void;
}

/** JSON-RPC over one WebSocket connection: each message is one body, as in a POST. */
export class RpcSocket<C extends MainContext> implements WsListener {
  readonly #deps: RpcSocketDeps<C>;
  readonly #connection: WsConnection;
  readonly #caller: Caller;
  readonly #session: Session<C>;
  /** Messages that arrived in the same bytes after the last one that there was room for. */
  #waiting: WaitingMessage[] = [];
  readonly #inFlight: InFlight;
  #isStopping = false;

  constructor(
    deps: RpcSocketDeps<C>,
    connection: WsConnection,
    table: MethodTable<C>,
    caller: Caller,
  ) {
    const { hub, limits, filters, nextId, observer } = deps;
    this.#deps = deps;
    this.#connection = connection;
    this.#caller = caller;
    this.#inFlight = new InFlight(limits);
    this.#session = new Session({ table, hub, limits, filters, nextId, observer });
    connection.listen(this);
  }

  stopping(): void {
    this.#isStopping = true;
    this.#dropWaiting();
    this.#advance();
  }

  message(text: string, release: () => void): void {
    if (this.#isStopping) release();
    else this.#waiting.push({ text, release });
    this.#advance();
  }

  writable(): void {
    this.#deps.hub.writable();
    this.#advance();
  }

  ended(): void {
    this.#dropWaiting();
    this.#endSession();
  }

  #dropWaiting(): void {
    for (const { release } of this.#waiting.splice(0)) release();
  }

  /** Ends subscriptions in turns: those of a connection may have tens of thousands of index entries. */
  #endSession(): void {
    this.#deps.turns.take(this.#caller, {
      costMs: Infinity,
      run: (endMs) => {
        if (!this.#session.end(endMs)) this.#endSession();
      },
    });
  }

  /** Starts messages while there is room for their responses. */
  #advance(): void {
    while (this.#connection.isWritable) {
      const [message] = this.#waiting;
      if (message === undefined || !this.#inFlight.hasRoom(message.text.length)) break;
      this.#waiting.shift();
      void this.#answer(message);
    }
    if (this.#isStopping && this.#inFlight.isEmpty) {
      this.#connection.close(CLOSE_CODES.goingAway, "the node is stopping");
    } else this.#connection.setFull(this.#waiting.length > 0 || this.#inFlight.isFull);
  }

  async #answer({ text, release }: WaitingMessage): Promise<void> {
    const limiter = this.#deps.rateLimiter;
    const { address } = this.#caller;
    const waitSeconds = limiter?.take(address);
    if (waitSeconds !== undefined) {
      this.#refuse(text, waitSeconds);
      release();
      return;
    }
    const answered = this.#inFlight.begin(text.length);
    const outlet = new GatedOutlet(this.#connection);
    const request = this.#session.request(outlet);
    const body = await this.#deps.dispatcher.handle(text, request.table, {
      retryAfterSeconds: undefined,
      hasTurn: true,
      takeRest: undefined,
      caller: this.#caller,
      bodyConsumed: release,
      batchRead: (length) => limiter?.charge(address, length - 1),
    });
    release();
    answered();
    if (body !== undefined) this.#connection.answer(body);
    request.answered();
    if (request.hasSubscribed) outlet.answered();
    this.#advance();
  }

  #refuse(text: string, waitSeconds: number): void {
    const reason = `too many calls from this address: try again in ${waitSeconds} s`;
    const id = text.length <= SHORT_REFUSED ? requestIdOf(text) : null;
    this.#connection.answer(refuse(limitExceeded(reason), id));
  }
}

/** A longer refused message, in characters, is not parsed, not even for its id. */
const SHORT_REFUSED = 4_096;
