import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";

/** What Playwright needs to launch it: `chromium.launch({ ...await findChromium() })`. */
export type Chromium = { executablePath: string; env?: Record<string, string> };

const run = promisify(execFile);
const ofMachine = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
];
const entry = import.meta.resolve("@sparticuz/chromium");
const parent = fileURLToPath(new URL("../node_modules/.cache/wayfare-chromium", import.meta.url));

/**
 * The Chromium for stories: CHROMIUM_PATH, the one that comes from npm, or the machine's own. That of npm has no
 * window to draw, and runs stories in two thirds of the time. Rejects with what to do when none starts.
 */
export async function findChromium(): Promise<Chromium> {
  const chosen = process.env["CHROMIUM_PATH"];
  if (chosen) return { executablePath: chosen };
  const fromNpm = await unpacked().then(chromiumIn, () => null);
  if (fromNpm && (await starts(fromNpm))) return fromNpm;
  for (const executablePath of ofMachine) if (await starts({ executablePath })) return { executablePath };
  throw new Error(
    "The Chromium from npm does not start on this machine: install one, or set CHROMIUM_PATH to it.",
  );
}

/** Not only that it is there: Ubuntu's chromium-browser is a script that asks to install a snap. */
async function starts({ executablePath, env }: Chromium): Promise<boolean> {
  return run(executablePath, ["--version"], { timeout: 20_000, ...(env && { env }) }).then(
    () => true,
    () => false,
  );
}

/** It brings its own libraries and fonts, for machines without. */
function chromiumIn(folder: string): Chromium {
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const env = {
    ...Object.fromEntries(inherited),
    LD_LIBRARY_PATH: join(folder, "al2023/lib"),
    FONTCONFIG_FILE: join(folder, "fonts.conf"),
  };
  return { executablePath: join(folder, "chromium"), env };
}

/**
 * The folder with the unpacked archives of the package. They are unpacked beside it and moved there when complete:
 * neither two runs at once nor one that was killed leave half of it.
 */
async function unpacked(): Promise<string> {
  const folder = join(parent, await versionOfPackage());
  if (await exists(folder)) return folder;
  await mkdir(parent, { recursive: true });
  const draft = await mkdtemp(`${folder}-draft-`);
  try {
    await unpackInto(draft);
    await writeFile(join(draft, "fonts.conf"), fontSettings);
    await rename(draft, folder);
  } catch (error) {
    if (!(await exists(folder))) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}

/** The package unpacks into the temporary folder and trusts what it finds there: a process with one of its own. */
async function unpackInto(folder: string): Promise<void> {
  const program = `
    import chromium, { inflate } from ${JSON.stringify(entry)};
    await Promise.all([chromium.executablePath(), inflate(process.argv[1])]);`;
  const libraries = fileURLToPath(new URL("../bin/al2023.tar.br", entry));
  await run(process.execPath, ["--input-type=module", "--eval", program, libraries], {
    env: { ...process.env, TMPDIR: folder },
  });
}

const fontSettings = `<?xml version="1.0"?>
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="relative">fonts-cache</cachedir>
</fontconfig>
`;

async function versionOfPackage(): Promise<string> {
  const text = await readFile(new URL("../package.json", entry), "utf8");
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
