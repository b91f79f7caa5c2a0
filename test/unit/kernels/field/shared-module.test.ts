import { expect, test } from "bun:test";
import { type Serializable, setEnvironmentData } from "node:worker_threads";
import { FIELD_KERNEL_PATHS } from "#kernels/field/assets.ts";
import { compileKernel } from "#kernels/field/index.ts";

test("a process compiles a kernel once", () => {
  expect(compileKernel(FIELD_KERNEL_PATHS)).toBe(compileKernel(FIELD_KERNEL_PATHS));
});

test("a later thread reuses the compiled kernel without reading a file", async () => {
  const module = compileKernel(FIELD_KERNEL_PATHS) as unknown as Serializable;
  setEnvironmentData("/no/such/file.wasm", module);
  const worker = new Worker(new URL("./shared-module.worker.ts", import.meta.url).href);
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = ({ message }) => reject(message);
  expect(await promise).toBe(true);
  worker.terminate();
});
