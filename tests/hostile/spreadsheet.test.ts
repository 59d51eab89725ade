import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { csvFile, writeCsv } from "#server/platform/csv.ts";

const hasLibreOffice = spawnSync("soffice", ["--version"]).status === 0;

const signs = ["=", "+", "-", "@", "＝", "＋", "－", "＠"];
const places = ["", '"', "\t", "x;", "x\r\n"];
const hostileCells = places.flatMap((place) => signs.map((sign) => `${place}${sign}1+1`));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "wayfare-csv-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Opens a file with this separator in LibreOffice; returns the formulas that it calculates. */
async function formulasIn(file: Uint8Array, separator: string): Promise<string[]> {
  await writeFile(join(folder, "cells.csv"), file);
  const { href: profile } = pathToFileURL(join(folder, "profile"));
  const quotationMark = 34;
  const utf8 = 76;
  const { stderr } = spawnSync(
    "soffice",
    [
      `-env:UserInstallation=${profile}`,
      "--headless",
      `--infilter=CSV:${separator.charCodeAt(0)},${quotationMark},${utf8}`,
      "--convert-to",
      "fods",
      "cells.csv",
    ],
    { cwd: folder, encoding: "utf8" },
  );
  const sheet = await readFile(join(folder, "cells.fods"), "utf8").catch(() => {
    throw new Error(stderr);
  });
  await rm(join(folder, "cells.fods"));
  return [...sheet.matchAll(/table:formula="([^"]*)"/g)].map(([, formula = ""]) => formula);
}

async function* pages() {
  yield hostileCells;
}

describe.skipIf(!hasLibreOffice)("in LibreOffice (apt install libreoffice-calc-nogui)", () => {
  test.each([",", ";", "\t"])(
    "no hostile cell of ours is a formula where %j ends a cell",
    async (separator) => {
      const columns = { Cell: (cell: string) => cell };
      const csv = writeCsv(columns, pages(), (page) => page);
      expect(await formulasIn(Buffer.concat(await Array.fromAsync(csvFile(csv))), separator)).toEqual([]);
      // Without our guards there are formulas, so this test would find them.
      expect(await formulasIn(Buffer.from(hostileCells.join("\r\n")), separator)).not.toEqual([]);
    },
  );
});
