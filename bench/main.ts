import { buildPages } from "#scripts/build.ts";
import { loginFirstLoad } from "./first-load.ts";
import { type House, openHouse } from "./house.ts";
import { knownAndUnknown } from "./known-and-unknown.ts";
import { manageStudents } from "./manage-students.ts";
import type { Figure } from "./measure.ts";
import { revocation } from "./revocation.ts";
import { sessionCheck } from "./session-check.ts";
import { shutdown } from "./shutdown.ts";
import { uploads } from "./upload.ts";

const measurements: ((house: House) => Promise<Figure[]>)[] = [
  sessionCheck,
  knownAndUnknown,
  revocation,
  loginFirstLoad,
  shutdown,
  manageStudents,
  uploads,
];

function print({ name, value, limit, holds, detail }: Figure): void {
  console.log(
    `${holds ? "holds " : "FAILS "} ${name.padEnd(28)} ${value.toFixed(3).padStart(8)}  (${limit}; ${detail})`,
  );
}

buildPages();
const house = await openHouse();
try {
  for (const measure of measurements)
    for (const figure of await measure(house)) {
      print(figure);
      if (!figure.holds) process.exitCode = 1;
    }
} finally {
  await house.stop();
}
