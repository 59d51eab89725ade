import { wayfare } from "#tests/support/wayfare.ts";
import { input } from "./inputs.ts";
import { describeObjectAccess } from "./object-access.ts";
import { objects } from "./object-rules.ts";

describeObjectAccess({ rules: objects, inputs: input, open: () => wayfare() });
