import { describe, expect, test } from "bun:test";
import { PROTOCOL_VERSIONS } from "#test/helpers/contract-scenarios/index.ts";
import {
  type Expectation,
  type StepResult,
  callsOf,
  ownResult,
  recordedResult,
  summary,
} from "./scenario-result.ts";

/**
 * Runs a contract's scenario on this project's engine at each protocol version and registers the
 * common tests: every step's expectation, agreement with the reference engine, metering.
 *
 * @param contract - as in the scenario's name
 * @param more - registers tests of one contract; `step` finds a step's result by name
 */
export function describeContract(
  contract: string,
  expectations: readonly Expectation[],
  more: (step: (name: string) => StepResult) => void,
): void {
  describe.each([...PROTOCOL_VERSIONS])(`${contract} at protocol %s`, (version) => {
    const scenario = `contracts_${contract}_${version.replaceAll(".", "_")}`;
    const result = ownResult(scenario);

    test.each(expectations.map((expected) => [expected[0], expected] as const))(
      "%s",
      (name, expected) => {
        const step = result.steps.find((candidate) => candidate.name === name);
        expect(step && summary(step, expected)).toEqual(expected);
      },
    );

    test("every step of the scenario has an expectation", () => {
      expect(result.steps.map(({ name }) => name)).toEqual(expectations.map(([name]) => name));
    });

    test("the engine agrees with the reference engine", () => {
      expect(result).toEqual(recordedResult(scenario));
    });

    const metering = version === "0.13.2" ? "cairo_steps" : "sierra_gas";
    test(`all calls are metered by ${metering}`, () => {
      const tracked = result.steps.flatMap(callsOf).map((call) => call.tracked_resource);
      expect([...new Set(tracked)]).toEqual([metering]);
    });

    more((name) => {
      const step = result.steps.find((candidate) => candidate.name === name);
      if (step === undefined) throw new RangeError(`no step ${name}`);
      return step;
    });
  });
}
