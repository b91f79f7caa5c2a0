import { addressKey } from "../limits/caller.ts";
import { ConnectionLimit, type ConnectionLimits } from "../limits/connection-limit.ts";
import { HttpConnection } from "./connection.ts";
import type { HttpSocket } from "./output.ts";
import { RefusedConnection } from "./refused-connection.ts";
import type { Connection, HttpService } from "./service.ts";

/** Connections that are told at a time that there is no slot; more are closed without a word. */
const MAX_REFUSED = 64;

/** How long a list of connections that may give way is used: making one looks at all connections. */
const LIST_MS = 20;

/** A connection that is let in, to answer or to be told why not. */
export interface ConnectionSlot {
  /** Key of the client's address. */
  readonly address: string;
  readonly connection: Connection;
  /** To be called once the connection is gone. May be called again. */
  readonly release: () => void;
}

/**
 * Decides over each new connection. Where most slots are taken, a connection is for one request; where
 * all are, connections give way that are open and ask nothing, the longest silent first: clients
 * connect again when they need to, and nobody can keep others out by holding on. Where all are busy, one of
 * the address that has most gives way: nobody can keep others out by asking much.
 */
export class ConnectionSlots {
  readonly #limit: ConnectionLimit;
  readonly #service: HttpService;
  readonly #max: number;
  readonly #taken = new Set<ConnectionSlot>();
  /** Those that may give way, the first one last. */
  #expendable: ConnectionSlot[] = [];
  #listedMs = -Infinity;
  #refused = 0;

  constructor(limits: ConnectionLimits, service: HttpService) {
    this.#limit = new ConnectionLimit(limits);
    this.#service = service;
    this.#max = limits.max;
  }

  /** @returns `undefined` when the connection is to be closed at once */
  take(socket: HttpSocket): ConnectionSlot | undefined {
    const address = addressKey(socket.remoteAddress ?? "");
    let refusal = this.#limit.enter(address);
    if (refusal !== undefined && this.#freeSlot(address)) refusal = this.#limit.enter(address);
    if (refusal === undefined) {
      const connection = new HttpConnection(socket, this.#service);
      const slot: ConnectionSlot = {
        address,
        connection,
        release: () => {
          if (!this.#taken.delete(slot)) return;
          this.#limit.leave(address);
          this.#count();
        },
      };
      this.#taken.add(slot);
      this.#count();
      return slot;
    }
    if (this.#refused >= MAX_REFUSED) return undefined;
    this.#refused++;
    let isHere = true;
    return {
      address,
      connection: new RefusedConnection(socket, refusal, this.#service),
      release: () => {
        if (isHere) this.#refused--;
        isHere = false;
      },
    };
  }

  /** @returns whether a connection gave way */
  #freeSlot(address: string): boolean {
    if (!this.#limit.takesMoreOf(address)) return false;
    const nowMs = performance.now();
    if (nowMs - this.#listedMs > LIST_MS) this.#list(nowMs);
    for (let next = this.#expendable.pop(); next !== undefined; next = this.#expendable.pop()) {
      const isHere = this.#taken.has(next);
      if (!isHere || next.connection.expendable(nowMs) === undefined) continue;
      // Its slot is free now, also where its socket tells later that it is closed.
      next.release();
      next.connection.giveWay();
      return true;
    }
    return this.#freeShare(address);
  }

  /**
   * The newest connection of the address that has most gives way, whatever it is doing, to an address that has
   * less than half as many.
   */
  #freeShare(address: string): boolean {
    const largest = this.#limit.largest();
    if (largest === undefined || this.#limit.count(address) * 2 >= largest.count) return false;
    const slot = [...this.#taken].findLast((taken) => taken.address === largest.address);
    if (slot === undefined) return false;
    slot.release();
    slot.connection.giveWay();
    return true;
  }

  #list(nowMs: number): void {
    this.#listedMs = nowMs;
    const found = [...this.#taken].flatMap((slot) => {
      const how = slot.connection.expendable(nowMs);
      return how === undefined ? [] : [{ slot, ...how }];
    });
    found.sort((a, b) => Number(b.mayAsk) - Number(a.mayAsk) || b.sinceMs - a.sinceMs);
    this.#expendable = found.map(({ slot }) => slot);
  }

  /** An eighth of the slots is for who asks and goes again. */
  #count(): void {
    this.#service.isCrowded = this.#taken.size > this.#max - Math.floor(this.#max / 8);
  }
}
