import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stringifyJson } from "#base/codec/index.ts";
import { SCENARIO_FOLDER } from "#test/helpers/contract-scenarios/index.ts";
import { runScenarioFile } from "#test/helpers/scenario/run.ts";

/** An event of a step: selector and keys, then data. */
export interface StepEvent {
  readonly keys: readonly string[];
  readonly data: readonly string[];
}

/** A call with its inner calls. */
export interface CallTree {
  readonly result: readonly string[];
  readonly failed: boolean;
  readonly tracked_resource: string;
  readonly events: readonly StepEvent[];
  readonly messages: readonly {
    readonly to_address: string;
    readonly payload: readonly string[];
  }[];
  readonly inner_calls: readonly CallTree[];
}

/** Parts of a step's result that the behaviour tests use. */
export interface StepResult {
  readonly name: string;
  readonly kind: string;
  readonly outcome: string;
  readonly revert_reason?: string;
  readonly error?: { readonly message: string };
  readonly contract_address?: string;
  readonly calls?: {
    readonly validate: CallTree | null;
    readonly execute: CallTree | null;
    readonly fee_transfer: CallTree | null;
  };
  readonly state_diff?: {
    readonly storage_diffs: Readonly<Record<string, Readonly<Record<string, string>>>>;
    readonly deployed_contracts: Readonly<Record<string, string>>;
  };
}

/**
 * Expected outcome of a step: its name, then the result felts or the failure's text. A direct
 * call fails; the protocol decides whether it can be undone (`reverted`) or not (`error`).
 */
export type Expectation =
  | readonly [name: string, outcome: "succeeded", result?: readonly string[]]
  | readonly [name: string, outcome: "reverted" | "rejected" | "failed", reason: string];

/** Result of an engine for a scenario; everything but `steps` is only compared as a whole. */
export interface ScenarioResult {
  readonly steps: readonly StepResult[];
}

/** Result of the reference engine for a scenario with the shipped contracts. */
export function recordedResult(scenario: string): ScenarioResult {
  return withoutEngine(readFileSync(join(SCENARIO_FOLDER, `${scenario}.result.json`), "utf8"));
}

/** Result of this project's engine for a scenario. */
export function ownResult(scenario: string): ScenarioResult {
  return withoutEngine(stringifyJson(runScenarioFile(join(SCENARIO_FOLDER, `${scenario}.json`))));
}

function withoutEngine(text: string): ScenarioResult {
  const { engine: _, ...result } = JSON.parse(text) as ScenarioResult & { engine: string };
  return result;
}

/** A step in the form of its expectation, with only the expected part of its texts. */
export function summary(step: StepResult, expected: Expectation): Expectation {
  const execute = step.calls?.execute ?? undefined;
  if (step.outcome === "succeeded") {
    return expected[2] === undefined
      ? [step.name, "succeeded"]
      : [step.name, "succeeded", execute?.result ?? []];
  }
  const told = [step.revert_reason, step.error?.message, ...(execute?.result ?? []).map(shortText)];
  const text = told.filter((part) => part !== undefined).join("\n");
  const wanted = typeof expected[2] === "string" ? expected[2] : "";
  const reason = wanted !== "" && text.includes(wanted) ? wanted : text;
  const outcome = step.kind === "CALL" ? "failed" : step.outcome;
  return [step.name, outcome as "failed", reason];
}

/** All calls of a step, outer before inner. */
export function callsOf(step: StepResult): CallTree[] {
  const walk = (call: CallTree): CallTree[] => [call, ...call.inner_calls.flatMap(walk)];
  const { validate, execute, fee_transfer: fee } = step.calls ?? {};
  return [validate, execute, fee].flatMap((call) => (call ? walk(call) : []));
}

/** The events of a step's execution (not of its fee payment), outer calls first. */
export function eventsOf(step: StepResult): StepEvent[] {
  const walk = (call: CallTree): StepEvent[] => [
    ...call.events.map(({ keys, data }) => ({ keys, data })),
    ...call.inner_calls.flatMap(walk),
  ];
  const execute = step.calls?.execute;
  return execute ? walk(execute) : [];
}

/** Decodes a felt as a short string. */
export function shortText(felt: string): string {
  const digits = felt.slice(2);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, "hex").toString("latin1");
}
