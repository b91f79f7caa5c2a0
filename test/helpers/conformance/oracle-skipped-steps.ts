import type { Exception } from "./suite.ts";

/** Steps of the reference engine's scenarios that are not compared. */
export interface SkippedSteps {
  /** Name of the scenario without the suffix of the protocol version. */
  readonly family: string;
  /** Suffixes of the protocol versions. */
  readonly versions: readonly string[];
  /** Indexes of the skipped steps. */
  readonly steps: readonly number[];
  /** Total steps in all versions. */
  readonly count: number;
  readonly reason: string;
}

const NO_PRICE =
  "the reference engine panics: below 0.13.4 its constants give these syscalls no price";

/** The only steps that the scenario tests skip. */
export const SKIPPED_STEPS: readonly SkippedSteps[] = [
  {
    family: "syscalls",
    versions: ["0_13_1"],
    steps: [39, 40, 41, 42, 43, 44, 48, 61, 62, 83, 84, 118],
    count: 12,
    reason: NO_PRICE,
  },
  {
    family: "syscalls_cairo_steps",
    versions: ["0_13_1"],
    steps: [23],
    count: 1,
    reason: NO_PRICE,
  },
  {
    family: "proof_facts",
    versions: ["0_14_1", "0_14_2", "0_14_3", "0_14_4"],
    steps: Array.from({ length: 15 }, (_, index) => index),
    count: 60,
    reason: "transactions with proof facts are not supported",
  },
];

/** Indexes of the skipped steps of a scenario, by its full name. */
export function skippedStepsOf(name: string): SkippedSteps["steps"] {
  const entry = SKIPPED_STEPS.find(({ family, versions }) =>
    versions.some((version) => name === `${family}_${version}`),
  );
  return entry?.steps ?? [];
}

/** {@link SKIPPED_STEPS} as exceptions over steps, whose names are `SCENARIO[INDEX]`. */
export const STEP_EXCEPTIONS: readonly Exception[] = SKIPPED_STEPS.map(
  ({ family, versions, count, reason }) => ({
    what: `${family}, protocol ${versions.join(", ").replaceAll("_", ".")}`,
    items: new RegExp(`^${family}_(${versions.join("|")})\\[`),
    count,
    reason,
  }),
);
