export { Directory } from "./directory.ts";
export { HttpFolder } from "./http-folder.ts";
export { ObjectFolder } from "./object-folder.ts";
export { readSecretFile, type SecretFile } from "./secret-file.ts";
export type { ReadableFolder, RemoteOptions, WritableFolder } from "./types.ts";
