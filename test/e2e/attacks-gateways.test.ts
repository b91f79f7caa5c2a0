import { GATEWAYS } from "#test/attack/groups/gateways.ts";
import { testAttacks } from "#test/helpers/attack-tests.ts";

testAttacks(GATEWAYS);
