/** A kernel build embedded as a file: the import is its path, inside a compiled binary too. */
declare module "*.wasm" {
  const path: string;
  export default path;
}
