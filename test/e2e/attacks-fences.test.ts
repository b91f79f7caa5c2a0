import { FENCES } from "#test/attack/groups/fences.ts";
import { testAttacks } from "#test/helpers/attack-tests.ts";

testAttacks(FENCES);
