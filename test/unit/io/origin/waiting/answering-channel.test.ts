import { describe, expect, test } from "bun:test";
import { AnsweringChannel, type OriginQuery, originQueryText } from "#io/origin/index.ts";
import { createWaitPage, WaitPage } from "#io/origin/waiting/wait-page.ts";

const nonceOf = (address: bigint): OriginQuery => ({ kind: "nonce", block: 3, address });

test("a late answer does not replace the rest of the answer that the thread waits for", async () => {
  const late = Promise.withResolvers<Uint8Array | null>();
  const values = [late.promise, Promise.resolve(Buffer.from("abcdef"))];
  const answer = () => values.shift() ?? Promise.resolve(null);
  const channel = new AnsweringChannel(
    { answer, keep: answer, knows: () => true },
    false,
    () => undefined,
  );
  const page = createWaitPage(4);
  const waiting = new WaitPage(page);
  channel.receive({ kind: "page", page });
  waiting.expect(1);
  channel.receive({ kind: "ask", id: 1, query: nonceOf(1n), companions: [] });
  waiting.giveUp();
  waiting.expect(2);
  channel.receive({ kind: "ask", id: 2, query: nonceOf(2n), companions: [] });
  await Bun.sleep(0);
  expect(Buffer.from(waiting.take(0)?.bytes ?? []).toString()).toBe("abcd");
  late.resolve(Buffer.from("12345678"));
  await Bun.sleep(0);
  waiting.expect(2);
  channel.receive({ kind: "more", id: 2 });
  const rest = waiting.take(0);
  expect([rest?.kind, Buffer.from(rest?.bytes ?? []).toString()]).toEqual(["last", "ef"]);
});

describe("the companions of a value", () => {
  /** Which values the channel obtains when a thread asks for the nonce of contract 1 with that of contract 2. */
  async function obtained(isKnown: boolean, keeps = false): Promise<readonly string[]> {
    const asked: string[] = [];
    const channel = new AnsweringChannel(
      {
        async answer(query) {
          asked.push(originQueryText(query));
          return null;
        },
        async keep(query) {
          asked.push(`kept ${originQueryText(query)}`);
          return null;
        },
        knows: () => isKnown,
      },
      keeps,
      () => undefined,
    );
    channel.receive({ kind: "ask", id: 1, query: nonceOf(1n), companions: [nonceOf(2n)] });
    await Bun.sleep(0);
    return asked;
  }

  test("are fetched with a value that has to be fetched", async () => {
    const texts = [nonceOf(1n), nonceOf(2n)].map(originQueryText);
    expect((await obtained(false)).toSorted()).toEqual(texts);
  });

  test("are not kept as the value is that the chain depends on", async () => {
    const texts = [`kept ${originQueryText(nonceOf(1n))}`, originQueryText(nonceOf(2n))];
    expect((await obtained(false, true)).toSorted()).toEqual(texts);
  });

  test("are not fetched if the value is known", async () => {
    expect(await obtained(true)).toEqual([originQueryText(nonceOf(1n))]);
  });
});
