import type { ApTracking, FrameState } from "../libfunc/invocation-builder.ts";
import { type GasWallet, isSameWallet } from "./gas-wallet.ts";

/**
 * What is known before a statement runs besides its variables: position of `ap`, stack, frame and prepaid
 * gas.
 */
export interface Environment {
  readonly apTracking: ApTracking;
  /** Number of values on the known part of the stack. */
  readonly stackSize: number;
  readonly frame: FrameState;
  /** `undefined` when gas is not checked. */
  readonly wallet: GasWallet | undefined;
}

/** Environment at the start of a function. */
export function initialEnvironment(wallet: GasWallet | undefined): Environment {
  return {
    apTracking: { kind: "enabled", base: undefined, cells: 0 },
    stackSize: 0,
    frame: { kind: "before" },
    wallet,
  };
}

/** Tracking after a change of `ap`. @param change - `undefined` if unknown */
export function trackingAfter(tracking: ApTracking, change: number | undefined): ApTracking {
  return tracking.kind === "enabled" && change !== undefined
    ? { ...tracking, cells: tracking.cells + change }
    : { kind: "disabled" };
}

/** Whether `ap` has the same distance from the same base. */
export function isSameTracking(a: ApTracking, b: ApTracking): boolean {
  if (a.kind === "disabled" || b.kind === "disabled") return a.kind === b.kind;
  return a.base === b.base && a.cells === b.cells;
}

/**
 * First difference between the environments of two paths to a statement; `undefined` when they agree. The
 * stacks may differ.
 */
export function environmentDifference(a: Environment, b: Environment): string | undefined {
  if (!isSameTracking(a.apTracking, b.apTracking)) return "the tracking of ap";
  if (!isSameFrame(a.frame, b.frame)) return "the locals";
  return isSameGas(a.wallet, b.wallet) ? undefined : "the gas that is left";
}

function isSameGas(a: GasWallet | undefined, b: GasWallet | undefined): boolean {
  return a === undefined || b === undefined ? a === b : isSameWallet(a, b);
}

function isSameFrame(a: FrameState, b: FrameState): boolean {
  switch (a.kind) {
    case "before":
      return b.kind === "before";
    case "allocating":
      return b.kind === "allocating" && a.allocated === b.allocated && a.first === b.first;
    case "finalized":
      return b.kind === "finalized" && a.allocated === b.allocated;
  }
}

/** Formats tracking for messages. */
export function trackingText(tracking: ApTracking): string {
  if (tracking.kind === "disabled") return "not tracked";
  const base = tracking.base === undefined ? "the function began" : `statement ${tracking.base}`;
  return `${tracking.cells} cells since ${base}`;
}
