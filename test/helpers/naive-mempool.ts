import {
  type AddOutcome,
  outbids,
  requiredOffer,
  type DroppedEntry,
  type MempoolEntry,
  type MempoolLimits,
} from "#services/admission/mempool/index.ts";

interface Row {
  readonly entry: MempoolEntry;
  readonly sequence: number;
  readonly restored: boolean;
  readonly alone: boolean;
}

/** Size of a transaction, including the class that it declares. */
const sizeOf = ({ bytes, classSizeBytes }: MempoolEntry) => bytes.length + (classSizeBytes ?? 0);

const bytesOf = (rows: readonly Row[]) => rows.reduce((sum, { entry }) => sum + sizeOf(entry), 0);

/**
 * Reference implementation of the mempool's rules over two plain lists, with a full scan for every
 * query.
 */
export class NaiveMempool {
  readonly limits: MempoolLimits;
  waiting: Row[] = [];
  inFlight: Row[] = [];
  /** Next nonce to execute of each account that has transactions here. */
  readonly #next = new Map<bigint, bigint>();
  #sequence = 0;

  constructor(limits: MempoolLimits) {
    this.limits = limits;
  }

  get bytes(): number {
    return bytesOf(this.waiting);
  }

  find(hash: bigint): MempoolEntry | undefined {
    return [...this.waiting, ...this.inFlight].find((row) => row.entry.hash === hash)?.entry;
  }

  add(entry: MempoolEntry, accountNonce: bigint): AddOutcome {
    const { limits } = this;
    const { sender, nonce } = entry;
    if (this.find(entry.hash) !== undefined) return { kind: "duplicate" };
    if (nonce < accountNonce) return { kind: "nonce_too_low", expected: accountNonce };
    const next = this.#nextOf(sender, accountNonce);
    const own = this.waiting.filter((row) => row.entry.sender === sender);
    const flying = this.inFlight.filter((row) => row.entry.sender === sender);
    if (entry.kind === "DECLARE") {
      const used = new Set([...own, ...flying].map((row) => row.entry.nonce));
      let expected = next;
      while (used.has(expected)) expected++;
      if (nonce > expected) return { kind: "future_declare", expected };
    }
    if (nonce < next || flying.some((row) => row.entry.nonce === nonce)) {
      return { kind: "in_flight" };
    }
    const old = own.find((row) => row.entry.nonce === nonce);
    if (old !== undefined) {
      if (!outbids(entry, old.entry, limits.minTipBump)) {
        return { kind: "underpriced", required: requiredOffer(old.entry, limits.minTipBump) };
      }
    } else if (own.length >= limits.maxTransactionsPerAccount) {
      return { kind: "account_full", limit: limits.maxTransactionsPerAccount };
    }
    const growth = sizeOf(entry) - (old === undefined ? 0 : sizeOf(old.entry));
    if (growth > 0 && bytesOf(own) + growth > limits.maxBytesPerAccount) {
      return { kind: "account_bytes_full", limit: limits.maxBytesPerAccount };
    }
    const highest = next + BigInt(limits.maxTransactionsPerAccount - 1);
    if (old === undefined && nonce > highest) return { kind: "nonce_too_high", highest };
    const declares = this.waiting.filter((row) => row.entry.kind === "DECLARE" && row !== old);
    if (
      entry.kind === "DECLARE" &&
      old?.entry.kind !== "DECLARE" &&
      declares.length >= limits.maxDeclareTransactions
    ) {
      return { kind: "declares_full", limit: limits.maxDeclareTransactions };
    }
    const dropped: DroppedEntry[] = [];
    if (old === undefined) {
      const evicted = this.#evict(entry, nonce - next);
      if ("kind" in evicted) return evicted;
      for (const row of evicted) dropped.push({ entry: row.entry, cause: "evicted" });
    } else {
      if (growth > 0 && this.bytes + growth > limits.maxBytes) {
        return { kind: "bytes_full", limit: limits.maxBytes };
      }
      this.waiting = this.waiting.filter((row) => row !== old);
      dropped.push({ entry: old.entry, cause: "replaced" });
    }
    this.#next.set(sender, next);
    this.waiting.push({ entry, sequence: this.#sequence++, restored: false, alone: false });
    return { kind: "added", dropped };
  }

  restore(entry: MempoolEntry, accountNonce: bigint, alone: boolean): void {
    if (entry.nonce < accountNonce) return;
    this.#next.set(entry.sender, accountNonce);
    this.waiting = this.waiting.filter(
      (row) => row.entry.sender !== entry.sender || row.entry.nonce !== entry.nonce,
    );
    this.waiting.push({ entry, sequence: this.#sequence++, restored: true, alone });
  }

  take(max: number): MempoolEntry[] {
    const taken: MempoolEntry[] = [];
    while (taken.length < max) {
      const ready = this.waiting.filter(
        ({ entry }) => this.#next.get(entry.sender) === entry.nonce,
      );
      const first = ready.sort((a, b) => this.#compare(a, b))[0];
      if (first === undefined || (first.alone && taken.length > 0)) break;
      this.waiting = this.waiting.filter((row) => row !== first);
      this.inFlight.push(first);
      this.#next.set(first.entry.sender, first.entry.nonce + 1n);
      taken.push(first.entry);
      if (first.alone) break;
    }
    return taken;
  }

  settle(hash: bigint, outcome: "included" | "rejected" | "given_back"): void {
    const row = this.inFlight.find(({ entry }) => entry.hash === hash);
    if (row === undefined) return;
    const { sender, nonce } = row.entry;
    this.inFlight = this.inFlight.filter((other) => other !== row);
    if (outcome !== "included" && nonce < (this.#next.get(sender) ?? nonce)) {
      this.#next.set(sender, nonce);
    }
    if (outcome === "given_back") this.waiting.push(row);
    this.#forget();
  }

  expire(nowMs: number): MempoolEntry[] {
    const { ttlMs } = this.limits;
    const isOld = ({ entry }: Row) => ttlMs !== null && nowMs - entry.receivedAtMs > ttlMs;
    const expired = this.waiting.filter(isOld);
    this.waiting = this.waiting.filter((row) => !isOld(row));
    this.#forget();
    return expired.map((row) => row.entry);
  }

  #nextOf(sender: bigint, accountNonce: bigint): bigint {
    const next = this.#next.get(sender);
    return next === undefined || next < accountNonce ? accountNonce : next;
  }

  #forget(): void {
    const here = new Set([...this.waiting, ...this.inFlight].map(({ entry }) => entry.sender));
    for (const sender of this.#next.keys()) if (!here.has(sender)) this.#next.delete(sender);
  }

  #compare(a: Row, b: Row): number {
    if (a.restored !== b.restored) return a.restored ? -1 : 1;
    if (!a.restored && this.limits.order === "tip" && a.entry.tip !== b.entry.tip) {
      return a.entry.tip > b.entry.tip ? -1 : 1;
    }
    if (!a.restored && a.entry.receivedAtMs !== b.entry.receivedAtMs) {
      return a.entry.receivedAtMs - b.entry.receivedAtMs;
    }
    return a.sequence - b.sequence;
  }

  #evict(entry: MempoolEntry, gap: bigint): Row[] | AddOutcome {
    const { maxTransactions, maxBytes, fullPolicy } = this.limits;
    const most = Math.max(maxTransactions, this.waiting.length);
    const mostBytes = Math.max(maxBytes, this.bytes);
    const refusal: AddOutcome =
      this.waiting.length >= maxTransactions
        ? { kind: "full", limit: maxTransactions }
        : { kind: "bytes_full", limit: maxBytes };
    const isTooMuch =
      this.waiting.length >= maxTransactions || this.bytes + sizeOf(entry) > maxBytes;
    if (isTooMuch && sizeOf(entry) > maxBytes) return refusal;
    const gapOf = (row: Row) => row.entry.nonce - (this.#next.get(row.entry.sender) ?? 0n);
    const left = [...this.waiting];
    const evicted: Row[] = [];
    while (left.length + 1 > most || bytesOf(left) + sizeOf(entry) > mostBytes) {
      const worst = left.sort(
        (a, b) =>
          Number(gapOf(b) - gapOf(a)) ||
          Number(a.entry.tip - b.entry.tip) ||
          b.sequence - a.sequence,
      )[0];
      const isBetter =
        worst !== undefined &&
        (gap < gapOf(worst) || (gap === gapOf(worst) && entry.tip > worst.entry.tip));
      if (worst === undefined || !isBetter || fullPolicy === "reject_new") {
        return evicted.length === 0 ? refusal : { kind: "bytes_full", limit: maxBytes };
      }
      left.shift();
      evicted.push(worst);
    }
    this.waiting = left;
    this.#forget();
    return evicted;
  }
}
