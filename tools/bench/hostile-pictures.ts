import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import type { Caller } from "#tests/support/caller.ts";
import { painted, sendPicture } from "#tests/support/pictures.ts";
import { until } from "#tests/support/wayfare.ts";
import { createStudents, type Fixture, password } from "./fixture.ts";
import { hostileFiles } from "./hostile-files.ts";
import { type Figure, median, time } from "./measure.ts";

const number = 200;
/** Number of hostile pictures that each account sends, two at a time: it may send 200 a day. */
const picturesPerAccount = 90;
const between = 4;

/** Peak figures of the picture process: bytes of memory, and milliseconds from its start to its end. */
type Consumption = { memory: number; duration: number };

/** Checks the picture process every few milliseconds until `isOver`. */
async function watch(currentPid: () => number | null, isOver: () => boolean): Promise<Consumption> {
  const peak = { memory: 0, duration: 0 };
  const begun = new Map<number, number>();
  while (!isOver()) {
    const pid = currentPid();
    if (pid !== null) {
      const since = begun.get(pid) ?? performance.now();
      begun.set(pid, since);
      peak.memory = Math.max(peak.memory, peakOf(pid));
      peak.duration = Math.max(peak.duration, performance.now() - since);
    }
    await setTimeout(between);
  }
  return peak;
}

function peakOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    // The process has ended meanwhile.
    return 0;
  }
}

async function accounts(fixture: Fixture, many: number): Promise<Caller[]> {
  const emails = await createStudents(fixture, many);
  return await Promise.all(
    emails.map(async (email, at) => {
      const caller = fixture.caller(`10.1.${at}.1`);
      await caller.call("account.signIn", { email, password });
      return caller;
    }),
  );
}

async function send(caller: Caller, bytes: Uint8Array): Promise<number> {
  const { status } = await sendPicture({ caller }, bytes);
  if (status === 429 || status >= 500) throw new Error(`a picture was answered with ${status}`);
  return status;
}

type WorstPicture = { value: number; name: string };
const none: WorstPicture = { value: 0, name: "" };
const worse = (worst: WorstPicture, value: number, name: string): WorstPicture =>
  value > worst.value ? { value, name } : worst;

/**
 * Sends two hundred hostile pictures, each twice concurrently, through the real upload, and behind them a valid one of
 * another account. Measures what the picture process takes at most, and by how much the valid one is delayed.
 */
export async function hostilePictures(fixture: Fixture): Promise<Figure[]> {
  const { pictures } = fixture.services;
  const hostile = await accounts(fixture, Math.ceil(number / picturesPerAccount));
  const honest = await accounts(fixture, 2);
  const good = await painted(1_200, 900).jpeg().toBuffer();
  const alone: number[] = [];
  for (let at = 0; at < 9; at++) alone.push(await time(() => send(honest[at % 2] ?? fixture.caller(), good)));

  const worst = { memory: none, duration: none, delay: none };
  let count = 0;
  for (const [at, { name, make }] of hostileFiles(number).entries()) {
    const bytes = await make();
    const [sender, other] = [hostile[Math.floor(at / picturesPerAccount)], honest[at % 2]];
    if (!sender || !other) throw new Error("there are too few accounts");
    let isOver = false;
    const watching = watch(
      () => pictures.currentPid(),
      () => isOver,
    );
    const sending = Promise.all([send(sender, bytes), send(sender, bytes)]);
    await Promise.race([sending, until(() => pictures.currentPid() !== null)]);
    const waited = await time(() => send(other, good));
    if ((await sending)[0] === 200) count += 1;
    isOver = true;
    const { memory: bytesSeen, duration: millisecondsSeen } = await watching;
    worst.memory = worse(worst.memory, bytesSeen / 1e6, name);
    worst.duration = worse(worst.duration, millisecondsSeen / 1000, name);
    worst.delay = worse(worst.delay, (waited - median(alone)) / 1000, name);
  }
  const figure = (what: string, { value, name }: WorstPicture, limit: number): Figure => ({
    name: what,
    value,
    limit: `at most ${limit}`,
    holds: value <= limit,
    detail: name,
  });
  return [
    figure("picture process, peak MB", worst.memory, 1000),
    figure("picture process, s", worst.duration, 5),
    {
      ...figure("honest picture's delay, s", worst.delay, 6),
      detail: `${worst.delay.name}; alone ${median(alone).toFixed(0)} ms; ${count} of ${number} were pictures`,
    },
  ];
}
