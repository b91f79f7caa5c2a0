import { addressKey } from "../limits/caller.ts";
import { ConnectionLimit, type ConnectionLimits } from "../limits/connection-limit.ts";
import { HttpConnection } from "./connection.ts";
import { givesWay } from "./giving-way.ts";
import type { HttpSocket } from "./output.ts";
import { RefusedConnection } from "./refused-connection.ts";
import type { Connection, HttpService } from "./service.ts";

/** Maximum connections that receive a refusal concurrently; more are closed without a response. */
const MAX_REFUSED = 64;

/** Lifetime of a list of expendable connections: building one scans all connections. */
const LIST_MS = 20;

/** An accepted connection: served, or only sent a refusal. */
export interface ConnectionSlot {
  readonly address: string;
  readonly connection: Connection;
  /** Must be called when the connection is gone. Idempotent. */
  readonly release: () => void;
}

/**
 * Admits or refuses each new connection.
 * - If most slots are taken, a connection serves a single request.
 * - If all slots are taken, idle connections are closed, the longest idle first. Clients reconnect when they
 *   need to, and cannot lock others out by holding connections. New connections of an address with many do
 *   not close recent ones of an address with few.
 * - If all connections are busy, the newest connection of the address with the most is closed, but only for an
 *   address with fewer than half as many. Clients cannot lock others out by sending many requests.
 * - Otherwise, and for an address at its own limit, the new connection is refused.
 */
export class ConnectionSlots {
  readonly #limit: ConnectionLimit;
  readonly #service: HttpService;
  readonly #max: number;
  readonly #slots = new Set<ConnectionSlot>();
  /** Connections that may be closed; the first one to close is the last element. */
  #expendable: ConnectionSlot[] = [];
  #listedMs = -Infinity;
  #refused = 0;

  constructor(limits: ConnectionLimits, service: HttpService) {
    this.#limit = new ConnectionLimit(limits);
    this.#service = service;
    this.#max = limits.max;
  }

  /** @returns `undefined` if the connection must be closed immediately */
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
          if (!this.#slots.delete(slot)) return;
          this.#limit.leave(address);
          this.#count();
        },
      };
      this.#slots.add(slot);
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

  /** @returns whether a connection was closed */
  #freeSlot(address: string): boolean {
    if (!this.#limit.takesMoreOf(address)) return false;
    const nowMs = performance.now();
    if (nowMs - this.#listedMs > LIST_MS) this.#list(nowMs);
    const closed = this.#takeExpendable(address, nowMs);
    if (closed === undefined) return this.#freeShare(address);
    // Frees the slot now: the socket may report its close later.
    closed.release();
    closed.connection.yieldSlot();
    return true;
  }

  /** Removes the first listed connection that gives way to a new one of the address, and returns it. */
  #takeExpendable(address: string, nowMs: number): ConnectionSlot | undefined {
    const newcomers = this.#limit.count(address);
    const kept: ConnectionSlot[] = [];
    let found: ConnectionSlot | undefined;
    for (let next = this.#expendable.pop(); next !== undefined; next = this.#expendable.pop()) {
      const how = this.#slots.has(next) ? next.connection.expendable(nowMs) : undefined;
      if (how === undefined) continue;
      if (givesWay(how, { own: this.#limit.count(next.address), newcomers }, nowMs)) {
        found = next;
        break;
      }
      kept.push(next);
    }
    // They may give way to other addresses.
    this.#expendable.push(...kept.reverse());
    return found;
  }

  /**
   * Closes the newest connection of the address with the most, even a busy one, for an address that has less
   * than half as many.
   */
  #freeShare(address: string): boolean {
    const largest = this.#limit.largest();
    if (largest === undefined || this.#limit.count(address) * 2 >= largest.count) return false;
    const slot = [...this.#slots].findLast(({ address: other }) => other === largest.address);
    if (slot === undefined) return false;
    slot.release();
    slot.connection.yieldSlot();
    return true;
  }

  #list(nowMs: number): void {
    this.#listedMs = nowMs;
    const found = [...this.#slots].flatMap((slot) => {
      const how = slot.connection.expendable(nowMs);
      return how === undefined ? [] : [{ slot, ...how }];
    });
    found.sort((a, b) => Number(b.mayAsk) - Number(a.mayAsk) || b.sinceMs - a.sinceMs);
    this.#expendable = found.map(({ slot }) => slot);
  }

  /** Reserves an eighth of the slots for clients that send one request and disconnect. */
  #count(): void {
    this.#service.isCrowded = this.#slots.size > this.#max - Math.floor(this.#max / 8);
  }
}
