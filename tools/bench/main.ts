import { execFileSync } from "node:child_process";
import { cpus, loadavg, totalmem } from "node:os";
import { buildPages } from "#scripts/build.ts";
import { auctionList } from "./auction-list.ts";
import { auctionScale } from "./auction-scale.ts";
import { bids } from "./bids.ts";
import { bidsBesidePages } from "./bids-beside-pages.ts";
import { breakdown } from "./breakdown.ts";
import { conversations } from "./conversations.ts";
import { events } from "./events.ts";
import { firstLoad } from "./first-load.ts";
import { firstSteps } from "./first-steps.ts";
import { type Fixture, openFixture } from "./fixture.ts";
import { handover } from "./handover.ts";
import { hostilePictures } from "./hostile-pictures.ts";
import { hostileSearches } from "./hostile-searches.ts";
import { invitationTimes } from "./invitations.ts";
import { knownAndUnknown } from "./known-and-unknown.ts";
import { logins } from "./logins.ts";
import { manageStudents } from "./manage-students.ts";
import type { Figure } from "./measure.ts";
import { messagesLive } from "./messages-live.ts";
import { nodes } from "./nodes.ts";
import { observed } from "./observed.ts";
import { oneAddress } from "./one-address.ts";
import { productRead } from "./product-read.ts";
import { programmeCatalogue } from "./programmes.ts";
import { revocation } from "./revocation.ts";
import { savedSearches } from "./saved-searches.ts";
import { sessionCheck } from "./session-check.ts";
import { shutdown } from "./shutdown.ts";
import { signUps } from "./sign-ups.ts";
import { slow3g } from "./slow-3g.ts";
import { today } from "./today.ts";
import { uploads } from "./upload.ts";
import { watching } from "./watchers.ts";

/** `npm run bench`: measures every figure with its limit, most of them as a ratio to another figure of the same run. */
type Measurement = (fixture: Fixture) => Promise<Figure[]>;
const measurements: Record<string, Measurement> = {
  "session-check": sessionCheck,
  "known-and-unknown": knownAndUnknown,
  invitations: invitationTimes,
  logins,
  "sign-ups": signUps,
  revocation,
  "first-load": firstLoad,
  "first-steps": firstSteps,
  "slow-3g": slow3g,
  shutdown,
  "manage-students": manageStudents,
  today,
  conversations,
  "messages-live": messagesLive,
  uploads,
  "hostile-pictures": hostilePictures,
  bids,
  "bids-beside-pages": bidsBesidePages,
  nodes,
  events,
  "product-read": productRead,
  "auction-list": auctionList,
  watching,
  handover,
  "auction-scale": auctionScale,
  programmes: programmeCatalogue,
  "hostile-searches": hostileSearches,
  "saved-searches": savedSearches,
  "one-address": oneAddress,
  observed,
  breakdown,
};

/** Returns all measurements, or the named ones: `npm run bench -- auction-scale`. */
function selected(names: readonly string[]): [name: string, measure: Measurement][] {
  if (names.length === 0) return Object.entries(measurements);
  return names.map((name) => {
    const measure = measurements[name];
    if (!measure) throw new Error(`${name} is none of ${Object.keys(measurements).join(", ")}`);
    return [name, measure];
  });
}

function print({ name, value, limit, holds, detail }: Figure): void {
  console.log(
    `${holds ? "holds " : "FAILS "} ${name.padEnd(28)} ${value.toFixed(3).padStart(8)}  (${limit}; ${detail})`,
  );
}

/** Prints the machine and the code that the figures are of. */
function printSubject(): void {
  const cores = cpus();
  const commit = execFileSync("git", ["describe", "--always", "--dirty"], { encoding: "utf8" }).trim();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  console.log(
    `Wayfare ${commit}, Node ${process.version}, ${cores.length} × ${cores[0]?.model}, ${memory}, load ${loadavg()[0]?.toFixed(1)} before\n`,
  );
}

const selection = selected(process.argv.slice(2));
printSubject();
buildPages();
const fixture = await openFixture();
try {
  for (const [name, measure] of selection) {
    console.log(`npm run bench -- ${name}`);
    for (const figure of await measure(fixture)) {
      print(figure);
      if (!figure.holds) process.exitCode = 1;
    }
  }
} finally {
  await fixture.stop();
}
