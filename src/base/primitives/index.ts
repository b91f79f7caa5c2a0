export { bytesFromFelt, feltFromBytes, hexFromBytes, readFelt, writeFelt } from "./bytes.ts";
export {
  ADDRESS_BOUND,
  compareFelts,
  type Felt,
  FELT_BYTES,
  feltFromHex,
  feltFromShortString,
  FIELD_PRIME,
  hexFromFelt,
  paddedHexFromFelt,
  shortStringFromFelt,
} from "./felt.ts";
export { editDistance, nearest } from "./nearest.ts";
export { compareNumbers } from "./numbers.ts";
export { once } from "./once.ts";
export { type AllowedHosts, allowedHostsFromText } from "./host-names.ts";
export { corsPolicyFromText, type CorsPolicy, LOCAL_ORIGINS } from "./origins.ts";
export type { Outlet, Port } from "./port.ts";
export { RecentMap } from "./recent-map.ts";
export { FIRST_WORD, SharedPage } from "./shared-page.ts";
export { HIDDEN, isShownSegment, shownAddress, shownWord } from "./shown-address.ts";
export { SYSTEM_TIMER, type Timer } from "./timer.ts";
export { Turns } from "./turns.ts";
