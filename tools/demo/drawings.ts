import sharp from "sharp";

export type Colours = { main: string; dark: string; light: string };

const armchair = ({ main, dark, light }: Colours) => `
    <path d="M470 250q330-90 660 0l30 480H440z" fill="${main}"/><rect x="480" y="640" width="640" height="170" rx="50" fill="${light}"/>
    <path d="M330 520q90-60 170 20l20 350H360q-60-200-30-370zM1270 520q-90-60-170 20l-20 350h160q60-200 30-370z" fill="${dark}"/>
    <rect x="430" y="780" width="740" height="110" rx="20" fill="${main}"/><path d="M430 890h50l-20 60h-40zM1120 890h50l10 60h-40z" fill="#4a3524"/>`;

/** The things of the marketplace as shapes on a canvas of 1600 × 1200, standing on a floor at 940. */
const drawings = {
  phone: ({ main, dark, light }) => `
    <g transform="rotate(12 800 600)"><rect x="610" y="170" width="380" height="780" rx="58" fill="${dark}"/>
    <rect x="634" y="194" width="332" height="732" rx="40" fill="${light}"/>
    <path d="M634 620q166-150 332 20v246a40 40 0 0 1-40 40H674a40 40 0 0 1-40-40z" fill="${main}"/>
    <circle cx="870" cy="360" r="62" fill="#fff" opacity=".85"/><rect x="740" y="214" width="120" height="26" rx="13" fill="${dark}"/></g>`,
  laptop: ({ main, dark, light }) => `
    <rect x="390" y="270" width="820" height="540" rx="34" fill="${dark}"/><rect x="424" y="304" width="752" height="472" fill="${light}"/>
    <path d="M424 776V620l230-150 190 130 150-90 182 140v126z" fill="${main}"/><circle cx="1030" cy="420" r="56" fill="#fff" opacity=".8"/>
    <path d="M300 830h1000l60 84a26 26 0 0 1-22 40H262a26 26 0 0 1-22-40z" fill="${main}"/><rect x="690" y="872" width="220" height="34" rx="10" fill="${dark}" opacity=".6"/>`,
  headphones: ({ main, dark, light }) => `
    <path d="M420 700C400 120 1200 120 1180 700" fill="none" stroke="${dark}" stroke-width="64" stroke-linecap="round"/>
    <path d="M452 640C440 210 1160 210 1148 640" fill="none" stroke="${light}" stroke-width="20"/>
    <rect x="340" y="590" width="190" height="340" rx="90" fill="${main}"/><rect x="1070" y="590" width="190" height="340" rx="90" fill="${main}"/>
    <rect x="500" y="630" width="80" height="260" rx="40" fill="${dark}"/><rect x="1020" y="630" width="80" height="260" rx="40" fill="${dark}"/>`,
  camera: ({ main, dark, light }) => `
    <path d="M600 360l60-110h280l60 110z" fill="${dark}"/><rect x="330" y="350" width="940" height="580" rx="70" fill="${main}"/>
    <rect x="330" y="470" width="940" height="70" fill="${dark}" opacity=".45"/><circle cx="800" cy="650" r="240" fill="${dark}"/>
    <circle cx="800" cy="650" r="178" fill="${light}"/><circle cx="800" cy="650" r="116" fill="${dark}"/>
    <circle cx="752" cy="602" r="38" fill="#fff" opacity=".75"/><rect x="1080" y="400" width="120" height="46" rx="14" fill="${light}"/>`,
  coat: ({ main, dark, light }) => `
    <path d="M640 220L410 340 290 800l150 44 70-250v370h580V594l70 250 150-44-120-460-230-120-160 90z" fill="${main}"/>
    <path d="M640 220l160 90 160-90-60 300-100 110-100-110z" fill="${dark}"/><path d="M790 630h20v334h-20z" fill="${dark}"/>
    <circle cx="840" cy="690" r="16" fill="${light}"/><circle cx="840" cy="790" r="16" fill="${light}"/><circle cx="840" cy="890" r="16" fill="${light}"/>
    <path d="M560 740h150v24H560zM890 740h150v24H890z" fill="${dark}"/>`,
  dress: ({ main, dark, light }) => `
    <path d="M680 200q0 110 120 130 120-20 120-130l40 20 20 220-50 110 210 414H460l210-414-50-110 20-220z" fill="${main}"/>
    <path d="M670 550h260l14 46H656z" fill="${dark}"/><path d="M590 964l110-360 20 360zM880 964l20-360 110 360z" fill="${light}" opacity=".45"/>`,
  shoes: ({ main, dark, light }) => `
    <path d="M270 880q-10-210 40-370l180-20q30 120 140 140l210 110q280 60 440 90 90 40 60 130H300q-26 0-30-80z" fill="${main}"/>
    <path d="M262 884h1080q14 76-60 76H310q-44 0-48-76z" fill="${light}"/><path d="M300 520l196-36q4 60 40 96l-240 50z" fill="${dark}"/>
    <path d="M560 610l-60 70M630 650l-60 76M700 690l-56 78M770 724l-50 76" stroke="${light}" stroke-width="22" stroke-linecap="round"/>
    <path d="M1120 826q190 16 224 62H1050q0-46 70-62z" fill="${dark}" opacity=".6"/>`,
  bag: ({ main, dark, light }) => `
    <path d="M610 470C600 190 1000 190 990 470" fill="none" stroke="${dark}" stroke-width="44"/>
    <path d="M400 450h800l70 510H330z" fill="${main}"/><path d="M400 450h800l26 190q-430 130-852 0z" fill="${dark}"/>
    <rect x="750" y="640" width="100" height="120" rx="18" fill="${light}"/><circle cx="800" cy="700" r="20" fill="${dark}"/>`,
  desk: ({ main, dark, light }) => `
    <rect x="230" y="470" width="1140" height="70" rx="10" fill="${main}"/><path d="M290 540h60l-20 400h-44zM1250 540h60l4 400h-44z" fill="${dark}"/>
    <rect x="860" y="540" width="400" height="250" fill="${main}"/><path d="M880 560h360v96H880zM880 674h360v96H880z" fill="${dark}" opacity=".55"/>
    <circle cx="1060" cy="608" r="14" fill="${light}"/><circle cx="1060" cy="722" r="14" fill="${light}"/>
    <path d="M400 470v-34h220v34zM420 436v-30h180v30z" fill="${light}"/>`,
  armchair,
  armchairs: (colours: Colours) => `
    <g transform="translate(-70 378) scale(.6)">${armchair(colours)}</g><g transform="translate(710 378) scale(.6)">${armchair(colours)}</g>`,
  kettle: ({ main, dark, light }) => `
    <path d="M560 360h480l110 520q10 70-60 70H510q-70 0-60-70z" fill="${main}"/><path d="M1060 450l190-60 30 50-200 170z" fill="${main}"/>
    <path d="M540 420Q300 400 340 640q30 150 140 180" fill="none" stroke="${dark}" stroke-width="60" stroke-linecap="round"/>
    <rect x="540" y="310" width="520" height="64" rx="30" fill="${dark}"/><rect x="760" y="250" width="80" height="70" rx="24" fill="${dark}"/>
    <path d="M620 420h60l-50 470h-70z" fill="${light}" opacity=".5"/>`,
  washer: ({ main, dark, light }) => `
    <rect x="450" y="180" width="700" height="770" rx="30" fill="${main}"/><rect x="450" y="180" width="700" height="150" rx="30" fill="${light}"/>
    <circle cx="1040" cy="255" r="44" fill="${dark}"/><rect x="510" y="225" width="240" height="60" rx="10" fill="${dark}" opacity=".7"/>
    <circle cx="800" cy="630" r="230" fill="${light}"/><circle cx="800" cy="630" r="180" fill="${dark}"/>
    <path d="M630 660q90-70 170 0t170 0a172 172 0 0 1-340 0z" fill="#8fc1d9"/><circle cx="740" cy="560" r="30" fill="#fff" opacity=".5"/>`,
  lamp: ({ main, dark, light }) => `
    <path d="M400 640L1200 640 1400 1200H200z" fill="#fff6d8" opacity=".5"/><path d="M620 250h360l150 390H470z" fill="${main}"/>
    <path d="M620 250h120l-60 390H470z" fill="${light}" opacity=".6"/><rect x="782" y="640" width="36" height="260" fill="${dark}"/>
    <ellipse cx="800" cy="910" rx="190" ry="40" fill="${dark}"/>`,
  vase: ({ main, dark, light }) => `
    <path d="M800 500Q760 300 620 200M800 500q0-220 20-350M800 500q60-200 200-280" fill="none" stroke="#4d7358" stroke-width="16"/>
    <circle cx="610" cy="190" r="74" fill="#e0785a"/><circle cx="824" cy="150" r="84" fill="#f2b45c"/><circle cx="1010" cy="214" r="70" fill="#d96a86"/>
    <path d="M700 480h200l-20 70q160 120 120 290-30 110-110 110H710q-80 0-110-110-40-170 120-290z" fill="${main}"/>
    <path d="M612 740h376q20 50 8 100H604q-12-50 8-100z" fill="${dark}"/><path d="M716 560q-90 90-80 180h50q0-100 80-180z" fill="${light}" opacity=".6"/>`,
} satisfies Record<string, (colours: Colours) => string>;
export type Drawing = keyof typeof drawings;

/** Views of a thing. */
export const views = ["whole", "close"] as const;
export type View = (typeof views)[number];

const windows: Record<View, { x: number; y: number; width: number; height: number }> = {
  whole: { x: 0, y: 0, width: 1600, height: 1200 },
  close: { x: 420, y: 330, width: 880, height: 660 },
};

/** Draws the thing in its room, as a photograph of 1600 × 1200 pixels. */
export const photograph = (drawing: Drawing, colours: Colours, view: View): Promise<Buffer> => {
  const { x, y, width, height } = windows[view];
  return sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1200" viewBox="${x} ${y} ${width} ${height}">
      <defs><linearGradient id="wall" x2="0" y2="1"><stop stop-color="#f4efe6"/><stop offset="1" stop-color="${colours.light}"/></linearGradient></defs>
      <rect width="1600" height="1200" fill="url(#wall)"/><path d="M0 860h1600v340H0z" fill="${colours.dark}" opacity=".22"/>
      <ellipse cx="800" cy="956" rx="620" ry="46" fill="#000" opacity=".14"/>${drawings[drawing](colours)}</svg>`),
  )
    .jpeg({ quality: 88 })
    .toBuffer();
};

/** Draws the scan of a passport as seen from afar: a portrait, lines, and the two machine-readable lines. */
export const passportScan = (colours: Colours, format: "jpeg" | "png"): Promise<Buffer> =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="700" viewBox="0 0 1000 700">
      <rect width="1000" height="700" fill="#d8d4cb"/><rect x="40" y="40" width="920" height="620" rx="24" fill="${colours.light}"/>
      <rect x="90" y="110" width="260" height="330" fill="#fff"/><circle cx="220" cy="230" r="68" fill="${colours.main}"/>
      <path d="M110 440q110-190 220 0z" fill="${colours.dark}"/>
      ${[120, 180, 240, 300, 360].map((y, line) => `<rect x="400" y="${y}" width="${line % 2 ? 300 : 420}" height="24" rx="6" fill="${colours.dark}" opacity=".5"/>`).join("")}
      <path d="M90 520h820M90 590h820" stroke="#333" stroke-width="30" stroke-dasharray="16 9"/></svg>`),
  )
    .toFormat(format)
    .toBuffer();
