import { L1Error } from "#base/errors/index.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import type { CoreState, L1Block, L1BlockId, L1Finality } from "../types.ts";
import type { Member } from "./member.ts";
import type { EndpointPool, Standing } from "./pool.ts";

/** A block that counts, and who has it. */
export interface Pin {
  readonly block: L1Block;
  readonly head: L1Block;
  /** In the order in which they are asked; two at least where two or more endpoints answer. */
  readonly members: readonly Member[];
  /** What was read at the block, which is the same whenever it is read. */
  readonly known: { core: CoreState | undefined; nextNonce: bigint | undefined };
}

/** Chooses the block at which a step reads L1. */
export class PinChooser {
  readonly #pool: EndpointPool;
  /** The newest block that counted, by finality. */
  readonly #newest = new Map<L1Finality, L1BlockId>();
  /** What was chosen last, by finality, and of which heads. */
  readonly #last = new Map<L1Finality, { readonly heads: string; readonly pin: Pin }>();

  constructor(pool: EndpointPool) {
    this.#pool = pool;
  }

  /**
   * The newest block that counts: where several endpoints answer, one that two of them have. It is not
   * below one that counted before, unless that has been replaced.
   *
   * @throws {L1Error} when none answers, or when they contradict each other and nobody can tell who is right
   */
  async choose(finality: L1Finality): Promise<Pin> {
    const standings = await this.#pool.standings(finality);
    const heads = headsOf(standings);
    const last = this.#last.get(finality);
    // The same heads have the same blocks below them.
    if (last?.heads === heads && !last.pin.members.some(({ isLeft }) => isLeft)) return last.pin;
    const known = this.#newest.get(finality);
    const holders =
      (known && (await this.#unlessOlder(known, standings))) ??
      (await this.#have(countedByTwo(standings), standings));
    if (holders.length === 0) throw this.#pool.silence();
    const agreeing = await this.#agreeing(holders, known);
    const [first] = agreeing;
    if (first === undefined) throw this.#pool.silence();
    const { block, standing } = first;
    this.#newest.set(finality, block);
    const members = agreeing.map((holder) => holder.standing.member);
    for (const { member } of standings) {
      if (!members.includes(member) && !member.isLeft) member.use("standing by");
    }
    members.forEach((member, index) => member.use(index < 2 ? "in use" : "standing by"));
    const untold = { core: undefined, nextNonce: undefined };
    const pin = { block, head: standing.head, members, known: untold };
    this.#last.set(finality, { heads, pin });
    return pin;
  }

  /**
   * Who has the block that counted before, where that is newer than what would count now.
   * `undefined`: it is not, or it was replaced.
   */
  async #unlessOlder(
    known: L1BlockId,
    standings: readonly Standing[],
  ): Promise<readonly Holder[] | undefined> {
    if (countedByTwo(standings) >= known.number) return undefined;
    const holders = await this.#have(known.number, standings);
    const same = holders.filter(({ block }) => block.hash === known.hash);
    if (same.length > 0) return same;
    if (holders.length > 0) return undefined;
    const heads = standings.map(({ member, head }) => `${member.name} ends with ${head.number}`);
    const message = `L1 is behind block ${known.number}, which counted already: ${heads.join(", ")}`;
    throw new L1Error("L1_BACKWARDS", message, true);
  }

  /** Who has a block of that number, and which. */
  async #have(number: number, standings: readonly Standing[]): Promise<readonly Holder[]> {
    const able = standings.filter(({ head }) => head.number >= number);
    const found = await Promise.all(
      able.map(async (standing) => {
        const { member } = standing;
        try {
          const block = await member.endpoint.block(number);
          if (block !== undefined) return [{ standing, block }];
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

  /** Those of the same hash; the others are left, if it is clear who is wrong. */
  async #agreeing(
    holders: readonly Holder[],
    known: L1BlockId | undefined,
  ): Promise<readonly Holder[]> {
    const [most = [], next = []] = groups(holders);
    if (next.length === 0) return most;
    if (most.length > next.length) return this.#leaveOthers(most, holders);
    const loyal = known === undefined ? [] : await this.#loyal(known, holders);
    const [loyalMost = [], loyalNext = []] = groups(loyal);
    if (loyalMost.length > loyalNext.length) return this.#leaveOthers(loyalMost, holders);
    const each = holders.map(
      ({ standing, block }) => `${standing.member.name} has ${hex(block.hash)}`,
    );
    const message = `L1's endpoints contradict each other about block ${most[0]?.block.number}: ${each.join(", ")}`;
    throw new L1Error("L1_CONTRADICTION", message, true);
  }

  /** Those that still have what counted before. */
  async #loyal(known: L1BlockId, holders: readonly Holder[]): Promise<readonly Holder[]> {
    const standings = holders.map(({ standing }) => standing);
    const had = await this.#have(known.number, standings);
    const loyal = had.filter(({ block }) => block.hash === known.hash);
    return holders.filter(({ standing }) => loyal.some((each) => each.standing === standing));
  }

  #leaveOthers(agreeing: readonly Holder[], holders: readonly Holder[]): readonly Holder[] {
    for (const holder of holders) {
      if (agreeing.includes(holder)) continue;
      const { member } = holder.standing;
      const { number, hash } = holder.block;
      const message = `${member.name} contradicts the others about block ${number}: ${hex(hash)}`;
      member.leave(new EndpointFault("contradiction", message));
    }
    return agreeing;
  }
}

interface Holder {
  readonly standing: Standing;
  readonly block: L1Block;
}

function headsOf(standings: readonly Standing[]): string {
  return standings
    .map(({ member, head, countedNumber }) => `${member.name} ${head.hash} ${countedNumber}`)
    .join(", ");
}

/** The newest number that two have counted; of one alone, its own. */
function countedByTwo(standings: readonly Standing[]): number {
  const [first = 0, second = first] = standings
    .map(({ countedNumber }) => countedNumber)
    .toSorted((a, b) => b - a);
  return second;
}

/** By hash, the largest first; of the same size, that whose first member is asked first. */
function groups(holders: readonly Holder[]): readonly (readonly Holder[])[] {
  const byHash = Map.groupBy(holders, ({ block }) => block.hash);
  return [...byHash.values()].toSorted((a, b) => b.length - a.length);
}

function hex(hash: bigint): string {
  return `0x${hash.toString(16).padStart(64, "0")}`;
}
