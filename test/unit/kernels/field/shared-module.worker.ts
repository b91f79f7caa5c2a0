import { compileKernel } from "#kernels/field/index.ts";

declare function postMessage(message: unknown): void;

const path = "/no/such/file.wasm";
const exports = WebAssembly.Module.exports(compileKernel({ plain: path, wide: path }));
postMessage(exports.some(({ name }) => name === "pedersen"));
