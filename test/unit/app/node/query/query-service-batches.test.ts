import { describe, expect, test } from "bun:test";
import { Cancellation } from "#app/node/query/cancellation.ts";
import type { RpcQuery } from "#app/node/query/query-service.ts";
import { settle } from "#test/helpers/admission-world.ts";
import {
  QUERY,
  queryServiceWorld,
  RESULT,
  seen,
  manualClock,
} from "#test/helpers/query-service-world.ts";

const orderOf = (id: number) => ({ ...QUERY, ...seen, id, paramsText: String(id) });

/** A service whose jobs take processor time by their text. */
function timedService(costMs: (text: string) => number, onLook: (text: string) => void = () => {}) {
  const { clock, time } = manualClock();
  const ran: string[] = [];
  const run = ({ paramsText }: RpcQuery) => {
    ran.push(paramsText);
    clock.nowMs += costMs(paramsText);
    time.look();
    onLook(paramsText);
    return Promise.resolve(RESULT);
  };
  return { ...queryServiceWorld({ time, run }), ran };
}

describe("jobs in one batch", () => {
  test("run one after the other in order, with one response message", async () => {
    const began: string[] = [];
    const ended: string[] = [];
    const { main } = queryServiceWorld({
      async run({ paramsText }) {
        expect(began).toEqual(ended);
        began.push(paramsText);
        await Promise.resolve();
        ended.push(paramsText);
        return RESULT;
      },
    });
    main.tell(orderOf(7), orderOf(5), orderOf(6));
    await settle();
    expect(ended).toEqual(["7", "5", "6"]);
    expect(main.port.sent).toMatchObject([
      { kind: "answers", answers: [{ id: 7 }, { id: 5 }, { id: 6 }], notStarted: [] },
    ]);
  });

  test("are returned unstarted after a job that takes long, with the completed responses", async () => {
    const { main, ran } = timedService((text) => (text === "2" ? 6 : 5));
    main.tell(orderOf(1), orderOf(2), orderOf(3));
    await settle();
    expect(ran).toEqual(["1", "2"]);
    expect(main.port.sent).toMatchObject([
      { kind: "answers", answers: [{ id: 1 }], notStarted: [3] },
      { kind: "answers", answers: [{ id: 2 }], notStarted: [] },
    ]);
  });

  test("are returned unstarted before a long job continues", async () => {
    const { main, ran } = timedService(
      (text) => (text === "2" ? 41 : 1),
      (text) => {
        if (text !== "2") return;
        expect(main.port.sent).toMatchObject([
          { kind: "answers", answers: [{ id: 1 }], notStarted: [3, 4] },
          { kind: "long", id: 2 },
        ]);
      },
    );
    main.tell(orderOf(1), orderOf(2), orderOf(3), orderOf(4));
    await settle();
    expect(ran).toEqual(["1", "2"]);
    expect(main.port.sent.slice(2)).toMatchObject([
      { kind: "answers", answers: [{ id: 2, processorMs: 41 }], notStarted: [] },
    ]);
  });

  test("are returned unstarted after a cancelled job", async () => {
    const cancellation = new Cancellation(new Int32Array(1), () => undefined);
    const ran: string[] = [];
    const run = ({ paramsText }: RpcQuery) => {
      ran.push(paramsText);
      cancellation.noted({ kind: paramsText === "2" ? "cancelled" : "succeeded" });
      return Promise.resolve(RESULT);
    };
    const { main } = queryServiceWorld({ cancellation, run });
    main.tell(orderOf(1), orderOf(2), orderOf(3));
    await settle();
    expect(ran).toEqual(["1", "2"]);
    expect(main.port.sent).toMatchObject([
      {
        kind: "answers",
        answers: [
          { id: 1, isCancelled: false },
          { id: 2, isCancelled: true },
        ],
        notStarted: [3],
      },
    ]);
  });

  test("have separate processor times", async () => {
    const { main } = timedService(Number);
    main.tell(orderOf(3), orderOf(5));
    await settle();
    expect(main.sent).toMatchObject([{ processorMs: 3 }, { processorMs: 5 }]);
  });
});
