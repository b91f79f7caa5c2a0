import { L1Error } from "#base/errors/index.ts";
import { endpointsOf } from "#io/http/index.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import { RpcEndpoint } from "../endpoint/rpc-endpoint.ts";
import { RangeReader } from "../logs/range-reader.ts";
import type { L1Block, L1Finality } from "../types.ts";
import { Member } from "./member.ts";
import type { L1SourceOptions } from "./options.ts";

/** Head of an endpoint, and the number of its newest block with the required finality. */
export interface HeadReport {
  readonly member: Member;
  readonly head: L1Block;
  readonly finalNumber: number;
}

/** Usual decrease of the head where a provider serves one address with several nodes. */
const USUAL_JITTER = 3;

/** Endpoints of L1 with their health: which ones to use, and which ones to avoid. */
export class EndpointPool {
  readonly members: readonly Member[];
  readonly #options: L1SourceOptions;
  #chainId: number | undefined;

  constructor(options: L1SourceOptions) {
    const { limits, timer, signal } = options;
    this.#options = options;
    this.#chainId = options.chainId;
    this.members = endpointsOf(options.endpoints, []).map((address) => {
      const endpoint = new RpcEndpoint({ address, limits, timer, signal });
      return new Member(endpoint, new RangeReader(limits), options);
    });
  }

  /**
   * Returns the chain id of all responding endpoints.
   *
   * @throws {L1Error} when none responds; a non-retryable one when they serve different chains
   */
  async chainId(): Promise<number> {
    const reports = await this.#each(this.members, async ({ name, endpoint }) => ({
      name,
      chainId: await endpoint.chainId(),
    }));
    const [first] = reports;
    if (first === undefined) throw this.unreachable();
    const wanted = this.#chainId ?? first.chainId;
    if (reports.some(({ chainId }) => chainId !== wanted)) {
      const each = reports.map(({ name, chainId }) => `${name} serves ${chainId}`).join(", ");
      const message = `L1's endpoints must serve chain ${wanted}: ${each}`;
      throw new L1Error("L1_OTHER_CHAIN", message, false);
    }
    this.#chainId = wanted;
    return wanted;
  }

  /** Endpoints to use, in order of preference. If all are avoided, those that did not request a pause. */
  usable(): readonly Member[] {
    const usable = this.members.filter(({ isAvoided }) => !isAvoided);
    return usable.length > 0 ? usable : this.members.filter(({ isPaused }) => !isPaused);
  }

  /**
   * Returns the heads of all responding endpoints, in order of preference. Avoids those that went backwards
   * or stalled while others did not.
   *
   * @throws {L1Error} when none responds
   */
  async headReports(finality: L1Finality): Promise<readonly HeadReport[]> {
    // Fixed first, so that recovery probes exclude these endpoints.
    const targets = this.#targets();
    this.#probeAvoided(targets);
    const found = await this.#each(targets, (member) => this.#headReport(member, finality));
    if (found.length === 0) throw this.unreachable();
    return this.#upToDate(found);
  }

  /**
   * Tries endpoints one after the other until one responds.
   *
   * @throws {L1Error} when none does
   */
  async first<T>(ask: (member: Member) => Promise<T>): Promise<T> {
    const [answer] = await this.#firstOf(this.usable(), ask);
    if (answer === undefined) throw this.unreachable();
    return answer.value;
  }

  /** Tries all endpoints but one. @returns `undefined` if no other responds */
  async firstOther<T>(name: string, ask: (member: Member) => Promise<T>): Promise<T | undefined> {
    const others = this.usable().filter((member) => member.name !== name);
    const [answer] = await this.#firstOf(others, ask);
    return answer?.value;
  }

  async #firstOf<T>(
    members: readonly Member[],
    ask: (member: Member) => Promise<T>,
  ): Promise<readonly { readonly value: T }[]> {
    for (const member of members) {
      try {
        if (member.state === "unknown" || member.isAvoided) {
          await this.#headReport(member, 0);
          member.use("standing by");
        }
        return [{ value: await ask(member) }];
      } catch (cause) {
        this.failed(member, cause);
      }
    }
    return [];
  }

  /** Avoids an endpoint after its failure; rethrows other errors. */
  failed(member: Member, cause: unknown): void {
    if (!(cause instanceof EndpointFault) || cause.kind === "stopped") throw cause;
    member.avoid(cause);
  }

  /** @throws {EndpointFault} when the endpoint serves another chain, or does not report its chain id */
  async checkChain({ name, endpoint }: Member): Promise<void> {
    const chainId = await endpoint.chainId();
    const wanted = this.#chainId ?? (await this.chainId());
    if (chainId === wanted) return;
    const message = `${name} serves chain ${chainId}, not ${wanted}`;
    throw new EndpointFault("other_chain", message);
  }

  /** Creates the error for no responding endpoint. */
  unreachable(): L1Error {
    const reasons = this.members.map(({ fault }) => fault?.message).filter(Boolean);
    const message = `no endpoint of L1 answers: ${reasons.join("; ") || "all of them are paused"}`;
    return new L1Error("L1_UNREACHABLE", message, true);
  }

  /**
   * Endpoints to query. A single usable one is joined by failed ones that may have recovered and fail fast:
   * two agreeing endpoints are more reliable.
   */
  #targets(): readonly Member[] {
    const usable = this.usable();
    if (usable.length > 1) return usable;
    return this.members.filter((member) => usable.includes(member) || member.isWorthProbing);
  }

  async #headReport(member: Member, finality: L1Finality): Promise<HeadReport> {
    const { endpoint, name } = member;
    const [head, tagged] = await Promise.all([
      endpoint.block("latest"),
      typeof finality === "number" ? undefined : endpoint.block(finality),
      this.checkChain(member),
    ]);
    if (head === undefined) throw new EndpointFault("nonsense", `${name} has no newest block`);
    if (typeof finality === "number") {
      return { member, head, finalNumber: Math.max(0, head.number - finality) };
    }
    if (tagged === undefined) {
      throw new EndpointFault("refused", `${name} has no ${finality} block`);
    }
    return { member, head, finalNumber: Math.min(tagged.number, head.number) };
  }

  #upToDate(found: readonly HeadReport[]): readonly HeadReport[] {
    const { staleMs } = this.#options.limits;
    const isBack = ({ member, head }: HeadReport): boolean =>
      member.head !== undefined && head.number < member.head.number - USUAL_JITTER;
    const forward = found.filter((each) => !isBack(each));
    if (forward.length === 0) {
      // All of them did, so L1 itself has gone back.
      for (const { member, head } of found) member.restart(head);
      return found;
    }
    const newest = Math.max(...forward.map(({ head }) => head.number));
    for (const { member, head } of forward) member.recordHead(head);
    return found.filter((each) => {
      const { member, head } = each;
      if (isBack(each)) {
        const message = `${member.name} has gone back from block ${member.head?.number} to ${head.number}`;
        member.avoid(new EndpointFault("backwards", message));
        return false;
      }
      const isStale = head.number < newest - USUAL_JITTER && member.headAgeMs > staleMs;
      if (isStale) {
        const message = `${member.name} is stuck at block ${head.number} while others have ${newest}`;
        member.avoid(new EndpointFault("backwards", message));
      }
      return !isStale;
    });
  }

  /** Probes avoided endpoints in the background, so that a hanging one delays nothing. */
  #probeAvoided(targets: readonly Member[]): void {
    if (this.members.every(({ isAvoided }) => isAvoided)) return;
    for (const member of this.members) {
      if (!member.isAvoided || !member.mayProbe || member.isProbing || targets.includes(member))
        continue;
      member.isProbing = true;
      void this.#probe(member);
    }
  }

  async #probe(member: Member): Promise<void> {
    try {
      const { head } = await this.#headReport(member, 0);
      if (member.head !== undefined && head.number < member.head.number - USUAL_JITTER) {
        const message = `${member.name} is still back at block ${head.number}`;
        throw new EndpointFault("backwards", message);
      }
      member.use("standing by");
    } catch (cause) {
      if (!(cause instanceof EndpointFault)) throw cause;
      if (cause.kind !== "stopped") member.avoid(cause);
    } finally {
      member.isProbing = false;
    }
  }

  async #each<T>(
    members: readonly Member[],
    ask: (member: Member) => Promise<T>,
  ): Promise<readonly T[]> {
    const answers = await Promise.all(
      members.map(async (member) => {
        try {
          return [await ask(member)];
        } catch (cause) {
          this.failed(member, cause);
          return [];
        }
      }),
    );
    return answers.flat(1) as T[];
  }
}
