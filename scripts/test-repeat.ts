import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { run } from "./checks.ts";

// Runs every check and test this many times, beside one busy loop per core: `npm run test:repeat -- 10`. A test that
// relies on an order or a speed fails here first.
const times = Number(process.argv[2] ?? 3);
if (!Number.isInteger(times) || times < 1) throw new Error("How many times? Run: npm run test:repeat -- 10");

// A loop ends with this process, however that ends.
const loop = "const parent = process.ppid; while (process.ppid === parent);";
const loops = Array.from({ length: availableParallelism() }, () =>
  spawn(process.execPath, ["--eval", loop], { stdio: "ignore" }),
);
let green = 0;
try {
  for (let round = 1; round <= times; round++) {
    console.log(`\nround ${round} of ${times}`);
    const failure = await run(
      process.execPath,
      ["scripts/test.ts", "checks", "units", "stories", "nightly"],
      { show: true, seconds: 3600 },
    );
    if (failure === null) green++;
  }
} finally {
  for (const each of loops) each.kill();
}
console.log(`\n${green} of ${times} green`);
process.exitCode = green === times ? 0 : 1;
