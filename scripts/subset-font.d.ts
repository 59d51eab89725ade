declare module "subset-font" {
  type Options = {
    targetFormat: "woff2";
    variationAxes?: Record<string, number | { min: number; max: number }>;
  };
  /** The font with the glyphs of this text alone. */
  export default function subsetFont(font: Buffer, text: string, options: Options): Promise<Buffer>;
}
