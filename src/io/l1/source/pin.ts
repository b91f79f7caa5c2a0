import { L1Error } from "#base/errors/index.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import type { CoreState, L1Block, L1BlockId, L1Finality } from "../types.ts";
import type { Member } from "./member.ts";
import type { EndpointPool, HeadReport } from "./pool.ts";

/** Block to read at, and the endpoints that have it. */
export interface Pin {
  readonly block: L1Block;
  readonly head: L1Block;
  /** In order of preference; at least two if two or more endpoints respond. */
  readonly members: readonly Member[];
  /** Cached values read at the block. */
  readonly known: { core: CoreState | undefined; nextNonce: bigint | undefined };
}

/** Chooses the block at which a step reads L1. */
export class PinChooser {
  readonly #pool: EndpointPool;
  /** Newest block chosen so far, by finality. */
  readonly #newest = new Map<L1Finality, L1BlockId>();
  /** Last result and the heads it was based on, by finality. */
  readonly #last = new Map<L1Finality, { readonly heads: string; readonly pin: Pin }>();

  constructor(pool: EndpointPool) {
    this.#pool = pool;
  }

  /**
   * Chooses the newest block with the given finality; if several endpoints respond, one that two of them
   * have. It is not older than an earlier choice, unless that block was reorged away.
   *
   * @throws {L1Error} when no endpoint responds, or when they contradict each other with neither a majority
   *   nor an earlier block to decide
   */
  async choose(finality: L1Finality): Promise<Pin> {
    const reports = await this.#pool.headReports(finality);
    const heads = headsOf(reports);
    const last = this.#last.get(finality);
    // The same heads have the same ancestors.
    if (last?.heads === heads && !last.pin.members.some(({ isAvoided }) => isAvoided))
      return last.pin;
    const known = this.#newest.get(finality);
    const holders =
      (known && (await this.#unlessOlder(known, reports))) ??
      (await this.#have(finalForTwo(reports), reports));
    if (holders.length === 0) throw this.#pool.unreachable();
    const agreeing = await this.#agreeing(holders, known);
    const [first] = agreeing;
    if (first === undefined) throw this.#pool.unreachable();
    const { block, report } = first;
    this.#newest.set(finality, block);
    const members = agreeing.map((holder) => holder.report.member);
    for (const { member } of reports) {
      if (!members.includes(member) && !member.isAvoided) member.use("standing by");
    }
    members.forEach((member, index) => member.use(index < 2 ? "in use" : "standing by"));
    const nothingRead = { core: undefined, nextNonce: undefined };
    const pin = { block, head: report.head, members, known: nothingRead };
    this.#last.set(finality, { heads, pin });
    return pin;
  }

  /**
   * Returns the holders of the previously chosen block if it is newer than the current candidate. @returns
   * `undefined` if it is not newer, or was reorged away
   */
  async #unlessOlder(
    known: L1BlockId,
    reports: readonly HeadReport[],
  ): Promise<readonly Holder[] | undefined> {
    if (finalForTwo(reports) >= known.number) return undefined;
    const holders = await this.#have(known.number, reports);
    const same = holders.filter(({ block }) => block.hash === known.hash);
    if (same.length > 0) return same;
    if (holders.length > 0) return undefined;
    const heads = reports.map(({ member, head }) => `${member.name} is at ${head.number}`);
    const message = `the L1 endpoints are behind block ${known.number}, which was used already: ${heads.join(", ")}`;
    throw new L1Error("L1_BACKWARDS", message, true);
  }

  /** Returns the endpoints that have a block with this number, and their block. */
  async #have(number: number, reports: readonly HeadReport[]): Promise<readonly Holder[]> {
    const able = reports.filter(({ head }) => head.number >= number);
    const found = await Promise.all(
      able.map(async (report) => {
        const { member } = report;
        try {
          const block = await member.endpoint.block(number);
          if (block !== undefined) return [{ report, block }];
          const message = `${member.name} has no block ${number} below its head`;
          throw new EndpointFault("contradiction", message);
        } catch (cause) {
          this.#pool.failed(member, cause);
          return [];
        }
      }),
    );
    return found.flat();
  }

  /** Returns the holders of the agreed block; avoids the others if it is clear that they are wrong. */
  async #agreeing(
    holders: readonly Holder[],
    known: L1BlockId | undefined,
  ): Promise<readonly Holder[]> {
    const [most = [], next = []] = groups(holders);
    if (next.length === 0) return most;
    if (most.length > next.length) return this.#avoidOthers(most, holders);
    const loyal = known === undefined ? [] : await this.#loyal(known, holders);
    const [loyalMost = [], loyalNext = []] = groups(loyal);
    if (loyalMost.length > loyalNext.length) return this.#avoidOthers(loyalMost, holders);
    const each = holders.map(({ report, block }) => `${report.member.name} has ${hex(block.hash)}`);
    const message = `L1's endpoints contradict each other about block ${most[0]?.block.number}: ${each.join(", ")}`;
    throw new L1Error("L1_CONTRADICTION", message, true);
  }

  /** Returns holders that still have the previously chosen block. */
  async #loyal(known: L1BlockId, holders: readonly Holder[]): Promise<readonly Holder[]> {
    const reports = holders.map(({ report }) => report);
    const had = await this.#have(known.number, reports);
    const loyal = had.filter(({ block }) => block.hash === known.hash);
    return holders.filter(({ report }) => loyal.some((each) => each.report === report));
  }

  #avoidOthers(agreeing: readonly Holder[], holders: readonly Holder[]): readonly Holder[] {
    for (const holder of holders) {
      if (agreeing.includes(holder)) continue;
      const { member } = holder.report;
      const { number, hash } = holder.block;
      const message = `${member.name} contradicts the others about block ${number}: ${hex(hash)}`;
      member.avoid(new EndpointFault("contradiction", message));
    }
    return agreeing;
  }
}

interface Holder {
  readonly report: HeadReport;
  readonly block: L1Block;
}

function headsOf(reports: readonly HeadReport[]): string {
  return reports
    .map(({ member, head, finalNumber }) => `${member.name} ${head.hash} ${finalNumber}`)
    .join(", ");
}

/** Returns the newest final number that two endpoints reached; with a single endpoint, its own. */
function finalForTwo(reports: readonly HeadReport[]): number {
  const [first = 0, second = first] = reports
    .map(({ finalNumber }) => finalNumber)
    .toSorted((a, b) => b - a);
  return second;
}

/** Groups holders by block hash, largest group first; groups of equal size keep the order of preference. */
function groups(holders: readonly Holder[]): readonly (readonly Holder[])[] {
  const byHash = Map.groupBy(holders, ({ block }) => block.hash);
  return [...byHash.values()].toSorted((a, b) => b.length - a.length);
}

function hex(hash: bigint): string {
  return `0x${hash.toString(16).padStart(64, "0")}`;
}
