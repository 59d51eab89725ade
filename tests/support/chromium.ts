import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";

/** The launch options for Playwright: `chromium.launch({ ...await findChromium() })`. */
export type Chromium = { executablePath: string; env?: Record<string, string> };

const run = promisify(execFile);
const systemPaths = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
];
const entry = import.meta.resolve("@sparticuz/chromium");
const parent = fileURLToPath(new URL("../../node_modules/.cache/wayfare-chromium", import.meta.url));

/**
 * Finds the Chromium for stories: CHROMIUM_PATH, the one from npm, or the machine's own. The one from npm has no window
 * to draw, and runs stories in two thirds of the time. If none starts, it rejects with advice.
 */
export async function findChromium(): Promise<Chromium> {
  const path = process.env["CHROMIUM_PATH"];
  if (path) return { executablePath: path };
  const fromNpm = await unpacked().then(chromiumIn, () => null);
  if (fromNpm && (await starts(fromNpm))) return fromNpm;
  for (const executablePath of systemPaths) if (await starts({ executablePath })) return { executablePath };
  throw new Error(
    "The Chromium from npm does not start on this machine: install one, or set CHROMIUM_PATH to it.",
  );
}

/** Whether it really starts: Ubuntu's chromium-browser is a script that asks to install a snap. */
async function starts({ executablePath, env }: Chromium): Promise<boolean> {
  return run(executablePath, ["--version"], { timeout: 20_000, ...(env && { env }) }).then(
    () => true,
    () => false,
  );
}

/** Returns the package's Chromium with its own libraries and fonts, for machines without them. */
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
 * Returns the folder with the unpacked archives of the package. They are unpacked beside it and moved there when
 * complete, so that neither concurrent runs nor a killed one leave half of it.
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

/** Unpacks in a process with its own temporary folder, because the package trusts whatever is already there. */
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
