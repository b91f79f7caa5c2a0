/**
 * Runs attacks on `dist/appchain` at full scale, one after the other, and prints one line each;
 * exits with 1 if the node did not hold. Arguments: names of attacks, default all.
 */
import { ATTACKS } from "./index.ts";

const names = process.argv.slice(2);
const unknown = names.filter((name) => !ATTACKS.some((attack) => attack.name === name));
if (unknown.length > 0) {
  console.log(`there is no attack ${unknown.join(", ")}; there are:`);
  for (const { name, about } of ATTACKS) console.log(`  ${name}: ${about}`);
  process.exit(2);
}
let broken = 0;
for (const attack of ATTACKS) {
  if (names.length > 0 && !names.includes(attack.name)) continue;
  const { held, figures } = await attack.run("full");
  console.log(`${held ? "held  " : "BROKEN"} ${attack.name}: ${figures}`);
  if (!held) broken++;
}
// Connections and timers of clients would keep the process alive for minutes.
process.exit(broken === 0 ? 0 : 1);
