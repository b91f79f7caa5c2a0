import { describe, expect, test } from "bun:test";
import { STOP_COMMIT_MS } from "#services/sequencer/committer-service.ts";
import { committer, sealed, tell } from "#test/helpers/committer-world.ts";

describe("the publish gate", () => {
  test("is asked about a committed block before anybody is told", async () => {
    const answer = Promise.withResolvers<"published">();
    const asked: unknown[] = [];
    const { service, executor, log } = committer({
      gate(number, epoch, bundle) {
        asked.push([number, epoch, bundle()]);
        return answer.promise;
      },
    });
    service.start();
    tell(executor, sealed(0));
    tell(executor, sealed(1));
    await Bun.sleep(1);
    expect(asked).toEqual([[0, 0, Uint8Array.of(0)]]);
    expect(log).toEqual(["guard 1 []", "commit 0"]);
    answer.resolve("published");
    await service.stop();
    expect(log.slice(2)).toContain("main: accepted 0");
    expect(log.at(-1)).toBe("main: accepted 1");
  });

  test("that refuses ends it: nobody is told, nothing more is committed", async () => {
    const { service, executor, failures, log } = committer({
      gate: () => Promise.resolve("refused"),
    });
    service.start();
    tell(executor, sealed(0));
    tell(executor, sealed(1));
    await service.stop();
    await Bun.sleep(0);
    expect(failures[0]).toMatchObject({ code: "NODE_DEPOSED" });
    expect(log).toEqual(["guard 1 []", "commit 0"]);
  });
});

describe("a stop", () => {
  test("waits for the drafts that have arrived", async () => {
    const { service, executor, log } = committer({ commitMs: 400 });
    service.start();
    for (const number of [0, 1, 2]) tell(executor, sealed(number));
    await service.stop();
    expect(log.filter((line) => line.startsWith("main"))).toHaveLength(3);
  });

  test("leaves out what has not begun when its time is over", async () => {
    const { service, executor, commits } = committer({ commitMs: STOP_COMMIT_MS });
    service.start();
    for (const number of [0, 1, 2]) tell(executor, sealed(number));
    await service.stop();
    expect(commits).toHaveLength(1);
  });
});
