import {
  deflatedZeros,
  type PngShape,
  pixelBytes,
  pngChunk,
  pngHeader,
  pngStart,
  realPng,
  uint32,
} from "#tests/support/real-png.ts";
import { file, type HostileFile, latin, megabyte, most, nothing } from "./hostile-file.ts";

/** Returns pictures refused for their sides, and the largest ones that aren't, in every depth, colour and order. */
export function sides(): HostileFile[] {
  const refused: PngShape[] = [
    { width: 1, height: 49_000_000, depth: 16, colour: "rgba" },
    { width: 49_000_000, height: 1, depth: 16, colour: "rgba" },
    { width: 49_000_000, height: 1, colour: "rgba" },
    { width: 24_500_000, height: 2, colour: "rgba" },
    { width: 20_001, height: 1 },
    { width: 1, height: 20_001 },
  ];
  const sizes = [
    [20_000, 2_500],
    [2_500, 20_000],
    [7_071, 7_071],
    [20_000, 1],
    [1, 20_000],
  ] as const;
  const kinds = [
    { colour: "grey", depth: 8 },
    { colour: "grey", depth: 16 },
    { colour: "rgb", depth: 8 },
    { colour: "rgb", depth: 16 },
    { colour: "rgba", depth: 8 },
    { colour: "rgba", depth: 16 },
    { colour: "palette", depth: 8 },
  ] as const;
  const shapes = sizes.flatMap(([width, height]) =>
    [false, true].flatMap((interlaced) =>
      kinds.map(({ colour, depth }): PngShape => ({ width, height, colour, depth, interlaced })),
    ),
  );
  return [...refused, ...shapes].map((shape) => {
    const { width, height, depth = 8, colour = "rgb", interlaced = false } = shape;
    const order = interlaced ? ", interlaced" : "";
    return file(`PNG ${width} × ${height}, ${colour} of ${depth} bits${order}`, () => realPng(shape));
  });
}

async function withChunks(chunks: readonly Buffer[], shape: PngShape = { width: 640, height: 480 }) {
  const whole = await realPng(shape);
  const behindHeader = pngStart.length + pngHeader(shape).length;
  return Buffer.concat([whole.subarray(0, behindHeader), ...chunks, whole.subarray(behindHeader)]);
}

/** Returns texts, profiles and other parts that unpack to far more than their size. */
export function chunks(): HostileFile[] {
  const starts = { zTXt: "Comment\0\0", iTXt: "Comment\0\u0001\0\0\0", iCCP: "profile\0\0" } as const;
  const packed = (["zTXt", "iTXt", "iCCP"] as const).flatMap((name) =>
    [1, 30, 180].map((number) =>
      file(`PNG with ${number} ${name} of 45 MB each`, async () => {
        const zeros = await deflatedZeros(45 * megabyte);
        const chunk = pngChunk(name, Buffer.concat([latin(starts[name]), zeros]));
        return await withChunks(Array<Buffer>(number).fill(chunk));
      }),
    ),
  );
  const many = [1_000, 40_000, 400_000].map((number) =>
    file(`PNG with ${number} empty tEXt`, () =>
      withChunks(Array<Buffer>(number).fill(pngChunk("tEXt", latin("a\0b")))),
    ),
  );
  const large = ["eXIf", "tEXt", "sPLT"].map((name) =>
    file(`PNG with ${name} of 9 MB`, () =>
      withChunks([pngChunk(name, Buffer.concat([latin("MM\0*\0"), Buffer.alloc(9 * megabyte, 1)]))]),
    ),
  );
  return [...packed, ...many, ...large];
}

/** Returns pixels that unpack to more than the header says, or come in the smallest pieces. */
export function bombs(): HostileFile[] {
  const shape: PngShape = { width: 64, height: 48 };
  const more = [100, 1_000, 4_000].map((times) =>
    file(`PNG of 64 × 48 with ${times} MB of pixels`, () => realPng(shape, times * megabyte)),
  );
  const small = [5, 1].map((length) =>
    file(`PNG in pieces of ${length} bytes`, async () => {
      const big: PngShape = { width: 5_000, height: 5_000 };
      const zeros = await deflatedZeros(pixelBytes(big));
      const pieces: Buffer[] = [];
      for (let at = 0; at < zeros.length; at += length)
        pieces.push(pngChunk("IDAT", zeros.subarray(at, at + length)));
      return Buffer.concat([pngStart, pngHeader(big), ...pieces, pngChunk("IEND", nothing)]);
    }),
  );
  return [...more, ...small];
}

/** Returns an animated PNG: it has frames behind its picture, which are ignored. */
export function moving(): HostileFile[] {
  return [
    [10, 5_000],
    [2_000, 300],
    [50_000, 8],
  ].map(([frames = 0, side = 0]) =>
    file(`PNG with ${frames} more frames of ${side} × ${side}`, async () => {
      const zeros = await deflatedZeros(pixelBytes({ width: side, height: side }));
      const control = (at: number) =>
        pngChunk(
          "fcTL",
          Buffer.concat([
            uint32(at),
            uint32(side),
            uint32(side),
            Buffer.alloc(8),
            Buffer.from([0, 1, 0, 9, 0, 0]),
          ]),
        );
      const pieces = Array.from({ length: frames }, (_, at) => [
        control(2 * at),
        pngChunk("fdAT", Buffer.concat([uint32(2 * at + 1), zeros])),
      ]).flat();
      const start = pngChunk("acTL", Buffer.concat([uint32(frames), uint32(0)]));
      const whole = await withChunks([start], { width: side, height: side });
      return Buffer.concat([whole.subarray(0, -12), ...pieces, whole.subarray(-12)]).subarray(0, most);
    }),
  );
}
