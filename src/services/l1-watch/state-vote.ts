import type { Felt } from "#base/primitives/index.ts";
import type { CoreState, StateReport } from "#io/l1/index.ts";
import type { L1StateUpdate } from "./state-ports.ts";

/** Looks up hash and root of the chain's own block; `undefined` when the chain lacks it. */
export type OwnHeader = (
  blockNumber: number,
) => { readonly hash: Felt; readonly stateRoot: Felt } | undefined;

/** The L1 endpoints' combined verdict on an update that differs from the chain: whether L1 really has it. */
export interface Verdict {
  /** `named`: the update equals one that was looked up by an accepted transaction. */
  readonly kind: "confirmed" | "named" | "refuted" | "undecided";
  /** Each endpoint's report, for the log; one line. */
  readonly said: string;
}

interface Vote {
  readonly kind: "for" | "against" | "none";
  readonly said: string;
}

type Reported = Exclude<StateReport, { readonly kind: "silent" }>;

/**
 * Counts the endpoints' reports on an update that differs from the chain: more than half of all configured
 * ones confirm or refute it. One that does not answer counts for neither side.
 */
export function verdictOn(
  update: L1StateUpdate,
  reports: readonly StateReport[],
  own: OwnHeader,
): Verdict {
  const votes = reports.map((report) => voteOf(update, report, own));
  const said = votes.map((vote, index) => `${reports[index]?.endpoint} ${vote.said}`).join("; ");
  const isMost = (kind: Vote["kind"]): boolean =>
    votes.filter((vote) => vote.kind === kind).length * 2 > votes.length;
  const named = reports.filter(
    (report) => report.kind !== "silent" && report.named.some((log) => isSameState(log, update)),
  );
  if (named.length * 2 > reports.length) return { kind: "named", said };
  if (isMost("for")) return { kind: "confirmed", said };
  return { kind: isMost("against") ? "refuted" : "undecided", said };
}

function voteOf(update: L1StateUpdate, report: StateReport, own: OwnHeader): Vote {
  if (report.kind === "silent") return { kind: "none", said: `does not answer: ${report.reason}` };
  const { number, hash } = update.l1Block;
  if (report.l1BlockHash !== hash) return against(`has another L1 block ${number}`);
  const isLog = update.transactionHash !== undefined;
  const isLogged = report.updates.some((log) => isSameState(log, update));
  if (isLog && !isLogged) return against(`has no such log in L1 block ${number}`);
  // An L1 block may settle several blocks: its state is that of the last log.
  const last = report.updates.at(-1) ?? update;
  if (!isSameState(last, update) && isOwn(last, own)) {
    return against(`has the chain's own block ${last.blockNumber} later in L1 block ${number}`);
  }
  return report.kind === "read" ? voteOfState(report, last) : voteOfNewest(report, last, own);
}

function voteOfState(
  { core }: Extract<Reported, { readonly kind: "read" }>,
  last: CoreState,
): Vote {
  if (isSameState(core, last)) return { kind: "for", said: "confirms it" };
  const root = `0x${core.stateRoot.toString(16)}`;
  return against(`has root ${root} of block ${core.blockNumber} in the core contract instead`);
}

/**
 * Judges by the newest state, because the one after the block is pruned: it shows whether L1 built on the
 * update.
 */
function voteOfNewest(
  { newest, newestL1Block, updates }: Extract<Reported, { readonly kind: "pruned" }>,
  last: CoreState,
  own: OwnHeader,
): Vote {
  const place = `block ${newest.blockNumber} at L1 block ${newestL1Block}, its oldest state`;
  if (newest.blockNumber < last.blockNumber) return against(`has only ${place}`);
  if (isOwn(newest, own)) return against(`has the chain's own ${place}`);
  const isEvidence = updates.length > 0 || isSameState(newest, last);
  if (isEvidence) return { kind: "for", said: `confirms it by its log, with ${place}` };
  return { kind: "none", said: `is inconclusive: it has ${place}` };
}

function isOwn({ blockNumber, blockHash, stateRoot }: CoreState, own: OwnHeader): boolean {
  if (blockNumber < 0n || blockNumber > BigInt(Number.MAX_SAFE_INTEGER)) return false;
  const header = own(Number(blockNumber));
  return header?.hash === blockHash && header.stateRoot === stateRoot;
}

function against(said: string): Vote {
  return { kind: "against", said };
}

/** Whether two states have the same block number, root and hash. */
export function isSameState(one: CoreState, other: CoreState): boolean {
  return (
    one.blockNumber === other.blockNumber &&
    one.stateRoot === other.stateRoot &&
    one.blockHash === other.blockHash
  );
}
