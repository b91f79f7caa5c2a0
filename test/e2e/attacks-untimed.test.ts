import { UNTIMED } from "#test/attack/groups/untimed.ts";
import { testAttacks } from "#test/helpers/attack-tests.ts";

testAttacks(UNTIMED);
