import { LONG_BODY } from "../dispatch.ts";
import type { WsLimits } from "./limits.ts";

/** Limits of a connection's requests in flight. */
export type InFlightLimits = Pick<WsLimits, "maxInFlight" | "maxInFlightCharacters">;

/**
 * Requests of one connection in flight. Long ones are in flight one at a time: parsed, a long batch takes
 * many times its text. Short ones are not held up by a long one.
 */
export class InFlight {
  readonly #limits: InFlightLimits;
  #count = 0;
  /** Characters of short requests. */
  #characters = 0;
  #hasLong = false;

  constructor(limits: InFlightLimits) {
    this.#limits = limits;
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** Whether no further request has room, however short. */
  get isFull(): boolean {
    const { maxInFlight, maxInFlightCharacters } = this.#limits;
    return this.#count >= maxInFlight || this.#characters >= maxInFlightCharacters;
  }

  /** Whether a request of this length may begin. */
  hasRoom(characters: number): boolean {
    if (this.#count >= this.#limits.maxInFlight) return false;
    if (characters > LONG_BODY) return !this.#hasLong;
    const isAlone = this.#characters === 0;
    return isAlone || this.#characters + characters <= this.#limits.maxInFlightCharacters;
  }

  /** A request of this length begins. @returns a function that must be called once it is answered */
  begin(characters: number): () => void {
    const isLong = characters > LONG_BODY;
    this.#count++;
    if (isLong) this.#hasLong = true;
    else this.#characters += characters;
    return () => {
      this.#count--;
      if (isLong) this.#hasLong = false;
      else this.#characters -= characters;
    };
  }
}
