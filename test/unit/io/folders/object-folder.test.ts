import { expect, test } from "bun:test";
import { ObjectFolder } from "#io/folders/index.ts";
import { MemoryObjectStore } from "#test/helpers/memory-object-store.ts";

const options = { attempts: 3, pauseMs: 1, signal: new AbortController().signal };

test("files are objects of the same name, and lost responses are retried", async () => {
  const store = new MemoryObjectStore();
  const folder = new ObjectFolder(store, options);
  const faults = ["lost", "down", "none"] as const;
  let question = 0;
  store.fault = () => faults[question++ % faults.length] ?? "none";
  await folder.write("a.bin", Uint8Array.of(1));
  expect(store.objects.get("a.bin")).toEqual(Uint8Array.of(1));
  expect(await folder.read("a.bin", 1)).toEqual(Uint8Array.of(1));
  await folder.write("a.bin", Uint8Array.of(2, 3));
  expect(await folder.read("a.bin", 2)).toEqual(Uint8Array.of(2, 3));
  await folder.remove("a.bin");
  expect(await folder.read("a.bin", 2)).toBe(undefined);
});

test("reports an object that is too long as a file that is too long", async () => {
  const store = new MemoryObjectStore();
  await store.put("a.bin", new Uint8Array(3));
  const read = new ObjectFolder(store, options).read("a.bin", 2);
  expect(read).rejects.toMatchObject({ code: "STORAGE_FILE_TOO_LONG" });
});

test("reports a refusal immediately, an outage after the last attempt, and a stop", async () => {
  const store = new MemoryObjectStore();
  const stop = new AbortController();
  const folder = new ObjectFolder(store, { ...options, signal: stop.signal });
  store.fault = () => "denied";
  expect(await folder.read("a.bin", 1).catch(({ retryable }) => retryable)).toBe(false);
  expect(store.questions.length).toBe(1);
  store.fault = () => "down";
  expect(await folder.read("a.bin", 1).catch(({ retryable }) => retryable)).toBe(true);
  expect(store.questions.length).toBe(4);
  stop.abort();
  expect(folder.read("a.bin", 1)).rejects.toMatchObject({ code: "NODE_STOPPED" });
});
