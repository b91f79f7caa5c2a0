import { describe, expect, test } from "bun:test";
import { OriginNeeds } from "#app/node/query/origin-needs.ts";
import { type FetchedValue, OriginMissing, type OriginQuery } from "#io/origin/index.ts";
import { settle } from "#test/helpers/admission-world.ts";
import {
  QUERY,
  queryServiceWorld,
  RESULT,
  seen,
  VALIDATION,
} from "#test/helpers/query-service-world.ts";

const BLOCK: OriginQuery = { kind: "block", block: 3 };
const VALIDATE = {
  kind: "validate",
  id: 4,
  longAfterMs: null,
  bytes: new Uint8Array([9]),
  metadata: { isSenderUndeployed: true, codeSize: 77 },
} as const;

/** A service that lacks a value until it is given. */
function lackingService() {
  const given: FetchedValue[] = [];
  const origin = new OriginNeeds({ begin: (fetched) => void given.push(...fetched) });
  const world = queryServiceWorld({
    origin,
    run() {
      if (given.length === 0) origin.note([BLOCK]);
      return Promise.resolve(RESULT);
    },
    validate() {
      if (given.length === 0) throw new OriginMissing([BLOCK]);
      return VALIDATION;
    },
  });
  return { ...world, given };
}

describe("a query thread that lacks a value of a fork's origin", () => {
  test("names it in the answer to a query", async () => {
    const { main } = lackingService();
    main.tell({ ...QUERY, ...seen });
    await settle();
    expect(main.sent).toMatchObject([{ id: QUERY.id, missing: [BLOCK] }]);
  });

  test("names it in the answer to a validation, and continues", async () => {
    const { main, failures } = lackingService();
    main.tell({ ...VALIDATE, ...seen });
    await settle();
    expect(main.sent).toMatchObject([{ id: VALIDATE.id, missing: [BLOCK] }]);
    expect(failures).toEqual([]);
  });

  test("takes values with the order that needs them", async () => {
    const { main, given } = lackingService();
    const fetched = [{ query: BLOCK, value: null }];
    main.tell({ ...QUERY, ...seen, fetched });
    main.tell({ ...VALIDATE, ...seen });
    await settle();
    expect(given).toEqual(fetched);
    expect(main.sent.flatMap((answer) => ("missing" in answer ? [answer] : []))).toEqual([]);
  });
});
