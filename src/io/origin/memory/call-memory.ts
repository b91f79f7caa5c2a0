import type { EnteredCall } from "#engine/state/index.ts";
import { type Felt, RecentMap } from "#base/primitives/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { originQueryText, type SlotQuery } from "../query.ts";
import {
  feltAt,
  keyAt,
  keyPlaceOf,
  type KeyPlace,
  mayBeAddress,
  type Place,
  placeOf,
  placeText,
  type RunningCall,
} from "./place.ts";

/** Maximum number of entry points whose reads are remembered, and of reads of each. */
const MAX_ENTRY_POINTS = 256;
const MAX_READS = 24;

/** Felts of the calldata that are considered. */
const MAX_GIVEN = 16;

/** Maximum number of values that are expected at a time: with that of the read, a batch has room for them. */
const MAX_EXPECTED = 32;

/** Calls what a transaction names: what the inner calls read says nothing about other transactions. */
const EXECUTE_SELECTOR = selectorFromName("__execute__");

/** A read of an entry point, described so that it fits other calls of it. */
interface Remembered {
  readonly kind: SlotQuery["kind"];
  readonly address: Place;
  /** `null` for a nonce or class hash. */
  readonly key: KeyPlace | null;
}

type EntryPointReads = RecentMap<string, Remembered>;

interface Frame extends RunningCall {
  readonly addresses: Map<Felt, Felt>;
  /** Whether reads of inner calls belong to it too. */
  readonly ownsInner: boolean;
  readonly reads: EntryPointReads;
}

/**
 * Remembers what entry points of classes read, so that the values of a later call can be fetched together: of the
 * same contract at another block, of another contract of the class, or with other arguments.
 */
export class CallMemory {
  readonly #entryPoints = new RecentMap<string, EntryPointReads>(MAX_ENTRY_POINTS);
  /** Running calls, the innermost last. */
  #frames: Frame[] = [];

  /** Records that a call begins. Calls of its depth or deeper have ended. */
  enter({
    depth,
    selector,
    classHash,
    contractAddress,
    callerAddress,
    calldata,
  }: EnteredCall): void {
    const entryPoint = `${classHash} ${selector}`;
    let reads = this.#entryPoints.touch(entryPoint);
    if (reads === undefined) {
      reads = new RecentMap(MAX_READS);
      this.#entryPoints.set(entryPoint, reads);
    }
    const length = Math.min(calldata.length, MAX_GIVEN);
    this.#frames.length = Math.min(this.#frames.length, depth - 1);
    this.#frames.push({
      self: contractAddress,
      caller: callerAddress,
      given: Array.from({ length }, (_, index) => calldata.at(index) ?? 0n),
      addresses: new Map(),
      ownsInner: selector !== EXECUTE_SELECTOR,
      reads,
    });
  }

  /** Records a read of the running call, with its value. */
  note(query: SlotQuery, value: Felt): void {
    let isInner = false;
    for (let at = this.#frames.length - 1; at >= 0; at--) {
      const frame = this.#frames[at];
      if (frame === undefined) return;
      const isOwn = frame.self === query.address;
      // A call that uses other storage has returned, or calls a contract whose class is looked up.
      if (!isOwn && !isInner && query.kind === "storage") continue;
      if (isOwn || frame.ownsInner) remember(frame, query, value);
      isInner = true;
    }
  }

  /**
   * Returns the values that the running calls probably read next.
   *
   * @param valueOf - a value that is known
   */
  expected(block: number, valueOf: (query: SlotQuery) => Felt | undefined): readonly SlotQuery[] {
    const found = new Map<string, SlotQuery>();
    for (const frame of this.#frames) {
      const storedAt = (key: Felt): Felt | undefined =>
        valueOf({ kind: "storage", block, address: frame.self, key });
      for (const { kind, address: place, key: keyPlace } of frame.reads.values()) {
        const address = feltAt(place, frame, storedAt);
        if (address === undefined || address === 0n) continue;
        if (kind !== "storage") addUnknown({ kind, block, address });
        else {
          const key = keyPlace === null ? undefined : keyAt(keyPlace, frame, storedAt);
          if (key !== undefined) addUnknown({ kind, block, address, key });
        }
        if (found.size >= MAX_EXPECTED) return [...found.values()];
      }
    }
    return [...found.values()];

    function addUnknown(query: SlotQuery): void {
      if (valueOf(query) === undefined) found.set(originQueryText(query), query);
    }
  }
}

function remember(frame: Frame, query: SlotQuery, value: Felt): void {
  const address = placeOf(query.address, frame);
  const key = query.kind === "storage" ? keyPlaceOf(query.key, frame) : null;
  if (address.kind === "self" && key?.kind === "same" && mayBeAddress(value)) {
    frame.addresses.set(value, key.value);
  }
  const text = `${query.kind} ${placeText(address)} ${key === null ? "" : placeText(key)}`;
  if (frame.reads.touch(text) === undefined)
    frame.reads.set(text, { kind: query.kind, address, key });
}
