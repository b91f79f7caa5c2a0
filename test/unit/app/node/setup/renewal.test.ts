import { describe, expect, test } from "bun:test";
import type { NodeHost } from "#app/node/setup/node-host.ts";
import type { NodeOptions } from "#app/node/setup/node-options.ts";
import { type Generation, startRenewable } from "#app/node/setup/renewal.ts";
import { nodeHost } from "#test/helpers/node-host.ts";
import { nodeOptions } from "#test/helpers/node-options.ts";

/** Parts that record their starts and stops under the name of the node. */
async function world(failing?: string) {
  const host = nodeHost();
  const events: string[] = [];
  const generations: Generation<string>[] = [];
  const options = async (name: string): Promise<NodeOptions> => ({
    ...(await nodeOptions({})),
    name,
  });
  const start = async (
    { name }: NodeOptions,
    { disposables }: NodeHost,
    generation: Generation<string>,
  ): Promise<void> => {
    generations.push(generation);
    disposables.defer(() => void events.push(`stop ${name}`));
    const kept = await generation.keep(async (keeping) => {
      keeping.disposables.defer(() => void events.push(`close ${name}`));
      return name;
    });
    events.push(`start ${name} on ${kept}`);
    if (name === failing) throw new RangeError(name);
  };
  const begin = startRenewable(await options("a"), host, start);
  await begin;
  const [first] = generations;
  const replace = async (name: string) => generations.at(-1)?.replace(await options(name));
  return { host, events, generations, first, replace };
}

describe("parts of a node", () => {
  test("are stopped, and replaced on what they share", async () => {
    const { host, events, generations, replace } = await world();
    await replace("b");
    await replace("c");
    expect(events).toEqual(["start a on a", "stop a", "start b on a", "stop b", "start c on a"]);
    expect(generations.map(({ isRenewal, isReplaced }) => [isRenewal, isReplaced])).toEqual([
      [false, true],
      [true, true],
      [true, false],
    ]);
    await host.disposables.disposeAsync();
    expect(events.slice(5)).toEqual(["stop c", "close a"]);
  });

  test("stop the node when others cannot replace them", async () => {
    const { host, events, replace } = await world("b");
    expect(await replace("b").catch((error: unknown) => error)).toBeInstanceOf(RangeError);
    expect(await host.lifecycle.closed).toBe(1);
    expect(events.slice(-2)).toEqual(["stop b", "close a"]);
  });

  test("are not replaced on a node that is stopping", async () => {
    const { host, events, replace } = await world();
    host.lifecycle.stop();
    expect(await replace("b").catch((error: unknown) => error)).toMatchObject({
      code: "NODE_STOPPING",
    });
    expect(await host.lifecycle.closed).toBe(0);
    expect(events).toEqual(["start a on a", "stop a", "close a"]);
  });
});
