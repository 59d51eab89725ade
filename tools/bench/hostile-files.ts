import sharp, { type Sharp } from "sharp";
import { randomFrom } from "#domain/seeded-random.ts";
import { pixelBytes, realPng } from "#tests/support/real-png.ts";
import { file, type HostileFile, latin, megabyte, most, nothing } from "./hostile-file.ts";
import { bombs, chunks, moving, sides } from "./hostile-pngs.ts";

/** Returns a picture of noise, which compresses badly. */
const noisy = (width: number, height: number): Sharp =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: "#888888",
      noise: { type: "gaussian", mean: 128, sigma: 20 },
    },
  });
const plain = (width: number, height: number, alpha = 1): Sharp =>
  sharp({ create: { width, height, channels: 4, background: { r: 30, g: 90, b: 80, alpha } } });

/** Returns the part of a JPEG from its first scan to its end mark. */
const scansOf = (jpeg: Buffer): Buffer => jpeg.subarray(jpeg.indexOf(Buffer.from([0xff, 0xda])), -2);
const endMark = Buffer.from([0xff, 0xd9]);
const lastScanOf = (jpeg: Buffer): Buffer => jpeg.subarray(jpeg.lastIndexOf(Buffer.from([0xff, 0xda])), -2);

/** Returns JPEGs of many scans, each of which covers the whole picture again. */
function scans(): HostileFile[] {
  const sizes = [
    [640, 480],
    [3_000, 2_000],
    [7_071, 7_071],
    [20_000, 2_500],
  ] as const;
  return sizes.flatMap(([width, height]) =>
    ([10, 200, 5_000] as const).flatMap((times) => {
      const make = (of: (jpeg: Buffer) => Buffer) => async () => {
        const jpeg = await plain(width, height)
          .jpeg({ progressive: true, chromaSubsampling: "4:4:4" })
          .toBuffer();
        const scan = of(jpeg);
        const number = Math.min(times, Math.floor((most - jpeg.length) / scan.length));
        return Buffer.concat([jpeg.subarray(0, -2), ...Array<Buffer>(number).fill(scan), endMark]);
      };
      const what = `JPEG ${width} × ${height}, ${times} times`;
      return [file(`${what} its last scan`, make(lastScanOf)), file(`${what} all scans`, make(scansOf))];
    }),
  );
}

/** Replaces the size in a JPEG's frame header. */
function resized(jpeg: Buffer, width: number, height: number): Buffer {
  const copy = Buffer.from(jpeg);
  const frame =
    [0xc0, 0xc2].map((code) => copy.indexOf(Buffer.from([0xff, code]))).find((at) => at >= 0) ?? 0;
  copy.writeUInt16BE(height, frame + 5);
  copy.writeUInt16BE(width, frame + 7);
  return copy;
}

/** Returns pictures whose headers declare a wrong size. */
function wrongSizes(): HostileFile[] {
  const pngs = [
    [10_000, 5_000, 10],
    [20_000, 2_500, 1],
    [7_071, 7_071, 0],
  ] as const;
  const jpegs = [
    [7_071, 7_071, false],
    [7_071, 7_071, true],
    [20_000, 2_500, true],
    [1, 1, false],
  ] as const;
  return [
    ...pngs.map(([width, height, rows]) =>
      file(`PNG ${width} × ${height} with ${rows} rows`, () =>
        realPng({ width, height }, pixelBytes({ width, height: rows })),
      ),
    ),
    ...jpegs.map(([width, height, progressive]) =>
      file(
        `JPEG of 640 × 480 that says ${width} × ${height}${progressive ? ", progressive" : ""}`,
        async () => resized(await noisy(640, 480).jpeg({ progressive }).toBuffer(), width, height),
      ),
    ),
    file("WebP whose frame is larger than it says", async () => {
      const webp = await plain(4_000, 4_000, 0.5).webp({ lossless: true }).toBuffer();
      const small = Buffer.concat([
        latin("VP8X"),
        Buffer.from([10, 0, 0, 0, 16, 0, 0, 0, 9, 0, 0, 9, 0, 0]),
        webp.subarray(12),
      ]);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(4 + small.length);
      return Buffer.concat([latin("RIFF"), length, latin("WEBP"), small]);
    }),
  ];
}

async function animated(width: number, height: number, frames: number): Promise<Buffer> {
  const packed = await Promise.all(
    Array.from({ length: frames }, (_, at) =>
      sharp({ create: { width, height, channels: 3, background: { r: at % 256, g: 9, b: 9 } } })
        .png()
        .toBuffer(),
    ),
  );
  return await sharp(packed, { join: { animated: true } })
    .webp({ effort: 0 })
    .toBuffer();
}

function webps(): HostileFile[] {
  return [
    file("WebP 16,383 × 3,050 without loss", () =>
      plain(16_383, 3_050).webp({ lossless: true, effort: 0 }).toBuffer(),
    ),
    file("WebP 7,071 × 7,071 without loss, of noise", () =>
      noisy(2_000, 1_500).webp({ lossless: true, effort: 0 }).toBuffer(),
    ),
    file("WebP 16,383 × 3,050", () => plain(16_383, 3_050).webp({ effort: 0 }).toBuffer()),
    file("WebP 3,050 × 16,383, seen through", () => plain(3_050, 16_383, 0.3).webp({ effort: 0 }).toBuffer()),
    file("WebP of 7,071 × 7,071 noise", () =>
      noisy(7_071, 7_071).webp({ quality: 10, effort: 0 }).toBuffer(),
    ),
    file("WebP with 200 frames of 400 × 300", () => animated(400, 300, 200)),
    file("WebP with 3 frames of 4,000 × 4,000", () => animated(4_000, 4_000, 3)),
  ];
}

/** Returns pictures for print, with valid and invalid profiles. */
function profiles(): HostileFile[] {
  const icc = (bytes: Buffer) => {
    const parts: Buffer[] = [];
    const number = Math.ceil(bytes.length / 65_000);
    for (let at = 0; at < number; at++) {
      const data = bytes.subarray(at * 65_000, (at + 1) * 65_000);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(16 + data.length);
      parts.push(
        Buffer.from([0xff, 0xe2]),
        length,
        latin("ICC_PROFILE\0"),
        Buffer.from([at + 1, number]),
        data,
      );
    }
    return Buffer.concat(parts);
  };
  const withProfile = async (profile: Buffer, picture: Sharp) => {
    const jpeg = await picture.jpeg().toBuffer();
    return Buffer.concat([jpeg.subarray(0, 2), icc(profile), jpeg.subarray(2)]);
  };
  return [
    file("JPEG 7,071 × 7,071 in CMYK", () =>
      plain(7_071, 7_071).removeAlpha().toColourspace("cmyk").jpeg().toBuffer(),
    ),
    file("JPEG 7,071 × 7,071 in CMYK, progressive", () =>
      plain(7_071, 7_071).removeAlpha().toColourspace("cmyk").jpeg({ progressive: true }).toBuffer(),
    ),
    file("JPEG 7,071 × 7,071 in P3, turned", () =>
      noisy(7_071, 7_071)
        .withMetadata({ orientation: 5 })
        .withIccProfile("p3")
        .jpeg({ quality: 20 })
        .toBuffer(),
    ),
    file("JPEG with a profile of 9 MB of nothing", () =>
      withProfile(Buffer.alloc(9_000_000), noisy(640, 480)),
    ),
    file("JPEG with a profile of noise", async () =>
      withProfile(await noisy(500, 500).raw().toBuffer(), noisy(640, 480)),
    ),
    file("PNG 7,071 × 7,071 of 16 bits, turned", () =>
      plain(7_071, 7_071, 0.5)
        .toColourspace("rgb16")
        .withMetadata({ orientation: 6 })
        .png({ compressionLevel: 3 })
        .toBuffer(),
    ),
  ];
}

/** Returns JPEGs with meaningless bytes before a marker and between the scans. */
function fillBytes(): HostileFile[] {
  const jpeg = () => noisy(640, 480).jpeg().toBuffer();
  return [1_000, 90_000, 9 * megabyte].flatMap((bytes) => [
    file(`JPEG with ${bytes} fill bytes at its start`, async () => {
      const whole = await jpeg();
      return Buffer.concat([whole.subarray(0, 2), Buffer.alloc(bytes, 0xff), whole.subarray(2)]);
    }),
    file(`JPEG with ${bytes} stray bytes at its end`, async () => {
      const whole = await jpeg();
      return Buffer.concat([whole.subarray(0, -2), Buffer.alloc(bytes), whole.subarray(-2)]);
    }),
  ]);
}

/** Valid pictures, to be broken. */
const honest: readonly HostileFile[] = [
  file("JPEG", () => noisy(1_200, 900).jpeg().toBuffer()),
  file("progressive JPEG", () => noisy(1_200, 900).jpeg({ progressive: true }).toBuffer()),
  file("PNG", () => noisy(700, 500).png().toBuffer()),
  file("interlaced PNG of 16 bits", () =>
    noisy(500, 400).toColourspace("rgb16").png({ progressive: true }).toBuffer(),
  ),
  file("WebP", () => noisy(1_200, 900).webp().toBuffer()),
  file("WebP without loss", () => noisy(500, 400).webp({ lossless: true }).toBuffer()),
];

const truncated = (): HostileFile[] =>
  honest.flatMap(({ name, make }) =>
    [0.5, 0.95].map((share) =>
      file(`${name}, ${share * 100} % of it, with its end mark`, async () => {
        const whole = await make();
        const end = name.includes("JPEG")
          ? whole.subarray(-2)
          : name.includes("PNG")
            ? whole.subarray(-12)
            : nothing;
        return Buffer.concat([whole.subarray(0, whole.length * share), end]);
      }),
    ),
  );

/** Returns valid pictures with some bytes changed, most of them near the beginning, where it matters. */
function mutated(number: number): HostileFile[] {
  return Array.from({ length: number }, (_, seed) => {
    const base = honest[seed % honest.length];
    return file(`${base?.name} with changed bytes, seed ${seed}`, async () => {
      const bytes = Buffer.from((await base?.make()) ?? nothing);
      const random = randomFrom(seed + 1);
      for (let times = 1 + Math.floor(random() * 20); times > 0; times--) {
        const reach = random() < 0.7 ? Math.min(bytes.length, 700) : bytes.length;
        bytes[12 + Math.floor(random() * (reach - 12))] = Math.floor(random() * 256);
      }
      return bytes;
    });
  });
}

/** Returns this many files. Those beyond the written ones are valid files with some bytes changed. */
export function hostileFiles(number: number): HostileFile[] {
  const files = [
    ...sides(),
    ...chunks(),
    ...bombs(),
    ...scans(),
    ...wrongSizes(),
    ...webps(),
    ...moving(),
    ...profiles(),
    ...fillBytes(),
    ...truncated(),
  ];
  return [...files, ...mutated(number - files.length)];
}
