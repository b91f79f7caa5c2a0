import { WORK } from "#test/attack/groups/work.ts";
import { testAttacks } from "#test/helpers/attack-tests.ts";

testAttacks(WORK);
