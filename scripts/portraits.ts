import { mkdir, writeFile } from "node:fs/promises";
import { tool } from "./tools.ts";

/** The parts of the packages that are used here. */
type Dicebear = { createAvatar(style: unknown, options: Record<string, unknown>): { toString(): string } };
type Svgo = {
  optimize(svg: string, options: { multipass: boolean; floatPrecision: number }): { data: string };
};

const { createAvatar }: Dicebear = await import(tool("@dicebear/core/lib/index.js"));
const notionists: unknown = await import(tool("@dicebear/notionists/lib/index.js"));
const { optimize }: Svgo = await import(tool("svgo/lib/svgo-node.js"));

const folder = "web/content/portraits";

type Look = Partial<
  Record<"hair" | "body" | "lips" | "eyes" | "brows" | "nose" | "glasses" | "beard", string[]>
>;

/** Backgrounds from the brand's palette. */
const harbour = "d3e8e2";
const apricot = "fde3d1";
const sand = "efebe2";

/** The sample people of web/content, until the consultancy puts its own photos there. */
const people: Record<string, { ground: string; look: Look }> = {
  amara: { ground: harbour, look: { hair: ["variant48"], body: ["variant17"], lips: ["variant23"] } },
  daniel: {
    ground: apricot,
    look: { hair: ["variant09"], body: ["variant25"], lips: ["variant03"], glasses: ["variant03"] },
  },
  mei: { ground: sand, look: { hair: ["variant41"], body: ["variant14"], lips: ["variant22"] } },
  tomas: {
    ground: sand,
    look: { hair: ["variant35"], body: ["variant16"], lips: ["variant25"], beard: ["variant02"] },
  },
  leila: { ground: harbour, look: { hair: ["variant62"], body: ["variant21"], lips: ["variant03"] } },
  kwame: { ground: apricot, look: { hair: ["variant60"], body: ["variant20"], lips: ["variant22"] } },
  priya: { ground: apricot, look: { hair: ["variant28"], body: ["variant15"], lips: ["variant23"] } },
  chidi: { ground: harbour, look: { hair: ["variant31"], body: ["variant23"], lips: ["variant25"] } },
  sofia: { ground: sand, look: { hair: ["variant10"], body: ["variant01"], lips: ["variant03"] } },
};

function portrait(name: string): string {
  const { ground, look } = people[name] ?? { ground: sand, look: {} };
  const avatar = createAvatar(notionists, {
    seed: name,
    size: 320,
    backgroundColor: [ground],
    eyes: ["variant04"],
    brows: ["variant08"],
    nose: ["variant01"],
    glassesProbability: look.glasses ? 100 : 0,
    beardProbability: look.beard ? 100 : 0,
    gestureProbability: 0,
    bodyIconProbability: 0,
    ...look,
  });
  // Drawn in the brand's ink instead of black.
  const drawn = avatar.toString().replaceAll(/#000000\b|#000\b/g, "#14213d");
  // Whole units of a drawing 1744 wide are fine enough for 320 pixels, and halve the files.
  return optimize(drawn, { multipass: true, floatPrecision: 0 }).data;
}

/** `npm run portraits`: redraws the portraits of web/content/portraits. */
await mkdir(folder, { recursive: true });
await Promise.all(Object.keys(people).map((name) => writeFile(`${folder}/${name}.svg`, portrait(name))));
