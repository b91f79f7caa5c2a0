/** llhttp as WebAssembly, the bytes of a module: a file of undici's without types. */
declare module "undici/lib/llhttp/llhttp-wasm.js" {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}
